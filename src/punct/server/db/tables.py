"""The tables of the database."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    DateTime,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    String,
    Table,
    false,
    text,
)

METADATA: Final = MetaData(
    # Constraints have names, so that migrations can find them.
    naming_convention={
        "ix": "ix_%(column_0_label)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)


_PREFIXED: Final = String(60).with_variant(String(60, collation="C"), "postgresql")
"""Text that is searched by its beginning: compared byte by byte on both databases, so that an index serves."""


GAMES: Final = Table(
    "games",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("rules", String(16), nullable=False),
    Column("start", String(512), nullable=False),
    Column("ply", Integer, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("winner", String(1)),
    Column("ending", String(32)),
    Column("tags", JSON, nullable=False),
    Column("created", DateTime, nullable=False),
    Column("updated", DateTime, nullable=False),
    Column("undone", JSON(none_as_null=True)),
    Column("owner_id", String(32)),
    Column("listed", Boolean, nullable=False, server_default=false()),
    Column("rated", Boolean, nullable=False, server_default=false()),
    Column("time", String(16)),
    Column("left_w", Integer),
    Column("left_b", Integer),
    Column("ticking", DateTime),
    Column("deadline", DateTime),
    Column("offer", String(16)),
    Column("offered_by", String(1)),
    Column("next_id", String(32)),
    Column("uncounted", String(16)),
    Column("lag_w", Integer),
    Column("lag_b", Integer),
    Column("pauses", String(40)),
    Index("ix_games_updated", "updated", "id"),
    Index("ix_games_owner_id", "owner_id"),
    Index("ix_games_deadline", "deadline"),
    Index("ix_games_open", "updated", sqlite_where=text("ending IS NULL"), postgresql_where=text("ending IS NULL")),
)
"""The games. ``revision`` grows with every change, and every change states the one it is based on. ``undone`` are the
moves taken back, the next one first, each with the time it was played and its comment; null if there are none.

Online, a game has an owner, who may delete it; null for a game created at home. ``listed`` games are public. ``time``
is the time control as text (``5+3``, ``3d``, ``7d+12h/10d-wd``; null: none); ``left_w`` and ``left_b`` are the
milliseconds that each side had left when the clock of the side to move started at ``ticking``; that side loses at
``deadline``. ``lag_w`` and ``lag_b`` are the milliseconds of lag compensation so far, null for none. ``offer`` is a
pending offer (``draw``, ``undo``, ``rematch``, ``pause``); ``next_id`` the rematch. ``uncounted`` is the reason why a
finished rated game counts for no rating (``short``, ``pair``, ``guest``); null if it counts, or is not decided yet.
``pauses`` says why the clock of a days game stands, and until when, in seconds since 1970: ``w`` and ``b`` for the
vacation of a side, ``a`` for a pause that both agreed to, as in ``a1794567890 w1794600000``; null if it runs. Then
``ticking`` is null, and ``deadline`` is when the first of them ends."""


SEATS: Final = Table(
    "seats",
    METADATA,
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("colour", String(1), primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("name", String(60)),
    Column("level", Integer),
    Column("player_id", String(32)),
    CheckConstraint("colour IN ('w', 'b')", "colour"),
    Index("ix_seats_player_id", "player_id", "game_id"),
)
"""Who plays a colour in a game. Online, a person's seat belongs to a player; at home to nobody in particular. The ids
of players, here and in ``games``, are no foreign keys: SQLite cannot add one to a table without copying it."""


MOVES: Final = Table(
    "turns",
    METADATA,
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("ply", Integer, primary_key=True),
    Column("text", String(16), nullable=False),
    Column("played", DateTime),
    Column("comment", String),
    Column("seconds", Integer),
)
"""The moves played here. The primary key ensures that a ply is played once. ``seconds`` is the time that a move of a
correspondence game took its player, as its clock counts; null in other games, if it is unknown, and for moves that the
server played for their player."""


RECORDS: Final = Table(
    "records",
    METADATA,
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("moves", String, nullable=False),
    Column("comments", JSON(none_as_null=True)),
    Column("ply", Integer, nullable=False),
)
"""The moves of imported games: all of a game in one row, separated by spaces, and comments by ply. So hundreds of
games are imported in one short transaction, and no move waits for the insertion of a hundred thousand rows. ``ply`` is
the number of these moves that the game still begins with; moves played after those are in ``turns``."""


PLAYERS: Final = Table(
    "players",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("name", String(60)),
    Column("login", String(60), unique=True),
    Column("password", String(255)),
    Column("settings", JSON(none_as_null=True)),
    Column("created", DateTime, nullable=False),
    Column("seen", DateTime, nullable=False),
    Column("blocked", DateTime),
    Column("handle", String(30)),
    Column("handle_key", _PREFIXED),
    Column("name_key", _PREFIXED),
    Column("hides_hours", Boolean, nullable=False, server_default=false()),
    CheckConstraint("kind IN ('guest', 'person', 'bot', 'admin')", "kind"),
    Index("ix_players_handle_key", "handle_key", unique=True),
    Index(
        "ix_players_name_key",
        "name_key",
        sqlite_where=text("login IS NOT NULL"),
        postgresql_where=text("login IS NOT NULL"),
    ),
)
"""The players online: guests, and account holders (persons, bots, administrators), who have a login. ``handle`` is a
unique public name; ``handle_key`` is the same for all handles that look alike. ``name_key`` is the name without case
and accents, to be searched by its beginning. ``hides_hours``: their page does not say when they usually play."""


HANDLES: Final = Table(
    "handles",
    METADATA,
    Column("key", String(60), primary_key=True),
    Column("player_id", ForeignKey("players.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("handle", String(30), nullable=False),
    Column("chosen", DateTime, nullable=False),
)
"""The handles of players: the current one, and the one before, which stays its owner's. The primary key ensures that
no two players have handles that look alike."""


SESSIONS: Final = Table(
    "sessions",
    METADATA,
    Column("id", String(64), primary_key=True),
    Column("player_id", ForeignKey("players.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("created", DateTime, nullable=False),
    Column("expires", DateTime, nullable=False),
)
"""Sessions of browsers, by the hash of the secret in their cookie."""


TOKENS: Final = Table(
    "tokens",
    METADATA,
    Column("id", String(64), primary_key=True),
    Column("player_id", ForeignKey("players.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("name", String(60), nullable=False),
    Column("scopes", String(120), nullable=False),
    Column("created", DateTime, nullable=False),
    Column("expires", DateTime),
    Column("used", DateTime),
)
"""Access tokens of programs that act for a player, by the token's hash. ``scopes`` are separated by spaces."""


PASSKEYS: Final = Table(
    "passkeys",
    METADATA,
    Column("id", String(512), primary_key=True),
    Column("player_id", ForeignKey("players.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("public_key", LargeBinary, nullable=False),
    Column("used_times", Integer, nullable=False),
    Column("created", DateTime, nullable=False),
)
"""WebAuthn credentials of players."""


SECRETS: Final = Table(
    "secrets",
    METADATA,
    Column("name", String(32), primary_key=True),
    Column("value", String(128), nullable=False),
)
"""The server's secrets: ``cookies`` is the key that signs its cookies, ``push`` what its key pair for Web Push is made
of, ``adoption`` the hash of the secret in the link that makes its opener the administrator, ``reset`` with a player's
id the hash of the secret in a link that resets that player's password, and its expiry."""


RATINGS: Final = Table(
    "ratings",
    METADATA,
    Column("player_id", ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
    Column("pool", String(32), primary_key=True),
    Column("rating", Float, nullable=False),
    Column("deviation", Float, nullable=False),
    Column("volatility", Float, nullable=False),
    Column("games", Integer, nullable=False),
    Column("updated", DateTime, nullable=False),
    Index("ix_ratings_pool", "pool", "rating"),
)
"""The ratings of a player, by pool: rules and speed, as ``standard-live``."""


RATED: Final = Table(
    "rated",
    METADATA,
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("player_id", ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
    Column("pool", String(32), nullable=False),
    Column("before", Float, nullable=False),
    Column("after", Float, nullable=False),
    Column("deviation", Float, nullable=False),
    Column("at", DateTime, nullable=False),
    Index("ix_rated_player_id", "player_id", "pool", "at"),
    Index("ix_rated_at", "at", "game_id"),
)
"""The change of a player's rating by a game. The primary key ensures that a game counts once."""


CHALLENGES: Final = Table(
    "challenges",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("player_id", ForeignKey("players.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("rules", String(16), nullable=False),
    Column("start", String(512)),
    Column("colour", String(1)),
    Column("time", String(16)),
    Column("rated", Boolean, nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("created", DateTime, nullable=False),
    Column("expires", DateTime, nullable=False),
    Column("game_id", String(32)),
    Column("to_id", String(32)),
    Column("places", Integer),
    Column("declined", DateTime),
    Column("words", String(200)),
    Column("replaces", String(32)),
    Index("ix_challenges_to_id", "to_id"),
)
"""Open challenges. An unlisted one is found only by its id, which cannot be guessed. ``colour`` is the challenger's,
null for a random one; ``game_id`` the game that it became. ``to_id`` is the only player who may accept it, null for
anybody; ``declined`` is when that player declined it, with a few ``words``; ``replaces`` is the challenge that it
answers with other terms. A standing challenge opens again when it is accepted, for up to ``places`` games."""


APPOINTMENTS: Final = Table(
    "appointments",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("player_id", ForeignKey("players.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("to_id", ForeignKey("players.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("rules", String(16), nullable=False),
    Column("colour", String(1)),
    Column("time", String(16), nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("dates", JSON, nullable=False),
    Column("words", String(200)),
    Column("zone", String(40)),
    Column("to_zone", String(40)),
    Column("created", DateTime, nullable=False),
    Column("expires", DateTime, nullable=False),
    Column("date", DateTime),
    Column("updated", DateTime, nullable=False),
    Column("ended", DateTime),
    Column("ended_by", String(32)),
    Column("reply", String(200)),
    Column("replaces", String(32)),
    Column("here", DateTime),
    Column("to_here", DateTime),
    Column("game_id", String(32)),
)
"""Live games that a player proposes to another, at one of a few ``dates``; ``colour`` is the proposer's, null for a
random one. ``date`` is the one that was agreed on. It is open until it ``expires``, or was ``ended`` by one of them,
with a few words in ``reply``; ``replaces`` is the proposal that it answers with other dates or terms. ``here`` and
``to_here`` are when each last said to be there, ``game_id`` is the game that has begun."""


REQUESTS: Final = Table(
    "requests",
    METADATA,
    Column("player_id", String(32), primary_key=True),
    Column("key", String(64), primary_key=True),
    Column("made", String, nullable=False),
    Column("at", DateTime, nullable=False, index=True),
    Column("wish", String(32)),
)
"""Idempotency keys. ``made`` is what the first request created: its kind and its id. ``wish`` is a hash of the request,
which tells a repetition from a different request with the same key; null in rows of versions that had none."""


PULSE: Final = Table(
    "pulse",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("at", DateTime, nullable=False),
)
"""Row 1: the server's last heartbeat; clocks stop while the server does not run. Row 2: when another program, as
``punct admin``, last changed something."""


EXPLORED: Final = Table(
    "explored",
    METADATA,
    Column("position", BigInteger, primary_key=True, autoincrement=False),
    Column("source", SmallInteger, primary_key=True, autoincrement=False),
    Column("move", Integer, primary_key=True, autoincrement=False),
    Column("white", Integer, nullable=False),
    Column("draws", Integer, nullable=False),
    Column("black", Integer, nullable=False),
    Column("rated", Integer, nullable=False),
    Column("rating", BigInteger, nullable=False),
    Column("last", Integer, nullable=False),
    sqlite_with_rowid=False,
)
"""The openings: moves played in a position, and the results of those games. ``position`` is the hash that it shares
with its images on a rotated or mirrored board, ``move`` the packed move in the image that the hash is of. ``rated`` of
the games have a rating, and ``rating`` is the sum of these; ``last`` is the day of the last one, in days since 1970, 0
if unknown. Without rowid SQLite stores the rows in the order of their primary key, which takes half the bytes."""


EXPLORED_GAMES: Final = Table(
    "explored_games",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("game_id", ForeignKey("games.id", ondelete="SET NULL"), unique=True),
    Column("revision", Integer, nullable=False),
    Column("winner", String(1)),
    Column("rating", Integer),
    Column("day", Integer, nullable=False),
    Column("steps", LargeBinary, nullable=False),
    Index("ix_explored_games_day_id", "day", "id"),
)
"""This server's games that are counted in the openings, with their revision and what was counted, so that each counts
once and can be subtracted again. ``game_id`` is null once the game is deleted."""


EXPLORED_STALE: Final = Table(
    "explored_stale",
    METADATA,
    Column("position", BigInteger, primary_key=True, autoincrement=False),
    Column("move", Integer, primary_key=True, autoincrement=False),
    Column("day", Integer, nullable=False),
    sqlite_with_rowid=False,
)
"""Moves in the openings whose last day is that of a game that no longer counts. The day has to be searched among the
games that do, which takes too long for the transaction that subtracts the game."""


EXPLORED_ARCHIVE: Final = Table(
    "explored_archive",
    METADATA,
    Column("game", BigInteger, primary_key=True, autoincrement=False),
)
"""Imported archive games that are counted in the openings, by a hash of their players and moves."""


ANALYSES: Final = Table(
    "analyses",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("tree", String, nullable=False),
    Column("created", DateTime, nullable=False),
    Column("seen", DateTime, nullable=False, index=True),
)
"""Shared analyses, as text records with variations. ``seen`` is the day of the last access."""


REVIEWS: Final = Table(
    "reviews",
    METADATA,
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("moves", String(32), nullable=False),
    Column("review", JSON, nullable=False),
    Column("updated", DateTime, nullable=False),
)
"""Reviews of finished games, each with a hash of the moves it covers: the game may have been continued since."""


PUZZLE_STANDINGS: Final = Table(
    "puzzle_standings",
    METADATA,
    Column("player_id", ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
    Column("rating", Float, nullable=False),
    Column("deviation", Float, nullable=False),
    Column("volatility", Float, nullable=False),
    Column("best_streak", Integer, nullable=False),
    Column("best_rush", Integer, nullable=False),
    Column("updated", DateTime, nullable=False),
)
"""The puzzle rating of an account holder, and their best streak and rush."""


PUZZLE_TRIES: Final = Table(
    "puzzle_tries",
    METADATA,
    Column("player_id", ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
    Column("puzzle", String(16), primary_key=True),
    Column("solved", Boolean, nullable=False),
    Column("mode", String(16), nullable=False),
    Column("at", DateTime, nullable=False),
    CheckConstraint("mode IN ('strength', 'theme', 'streak', 'rush', 'day')", "mode"),
)
"""The first attempt of a player at a puzzle. The primary key ensures that it counts once."""


PUZZLE_DAYS: Final = Table(
    "puzzle_days",
    METADATA,
    Column("player_id", ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
    Column("day", Integer, primary_key=True, autoincrement=False),
)
"""The days, since 1970, whose puzzle of the day a player solved, perhaps one that they had attempted before."""


PUZZLE_RATINGS: Final = Table(
    "puzzle_ratings",
    METADATA,
    Column("puzzle", String(16), primary_key=True),
    Column("rating", Float, nullable=False),
    Column("deviation", Float, nullable=False),
    Column("volatility", Float, nullable=False),
    Column("tries", Integer, nullable=False),
)
"""The ratings of puzzles, from players' attempts. A puzzle without attempts has its initial rating, and no row."""


NOTICES: Final = Table(
    "notices",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("player_id", String(32), nullable=False),
    Column("kind", String(16), nullable=False),
    Column("subject", String(64), nullable=False),
    Column("data", JSON(none_as_null=True)),
    Column("created", DateTime, nullable=False),
    Column("due", DateTime, nullable=False, index=True),
    Index("ix_notices_player_id", "player_id", "subject"),
)
"""The outbox: what a player is to be told, stored in the transaction of the change that it tells of. When it is due it
becomes deliveries. ``subject`` is the id of the game or challenge; ``data`` is what its text needs beyond that. The
player's id is no foreign key: a move would lock its players after its game, and could wait for a deletion forever."""


DELIVERIES: Final = Table(
    "deliveries",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("player_id", ForeignKey("players.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("channel", String(8), nullable=False),
    Column("target", String(64), nullable=False, index=True),
    Column("kind", String(16), nullable=False),
    Column("subject", String(64), nullable=False),
    Column("payload", JSON, nullable=False),
    Column("created", DateTime, nullable=False),
    Column("due", DateTime, nullable=False, index=True),
    Column("attempts", Integer, nullable=False),
    Column("claimed", DateTime),
)
"""Messages on their way to one device, mail address or webhook (``target``) by a ``channel``. A row is deleted when its
message has arrived or cannot arrive any more. ``claimed`` is when a process began to send it: others leave it alone
until that is too long ago."""


NOTICE_SETTINGS: Final = Table(
    "notice_settings",
    METADATA,
    Column("player_id", ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
    Column("muted", JSON, nullable=False),
    Column("language", String(8)),
    Column("zone", String(40)),
    Column("digested", DateTime),
)
"""How a player wants to be told. ``muted`` lists, by channel, the kinds that are switched off; ``zone`` is the player's
time zone (``Europe/Warsaw``); ``digested`` when the last daily mail was made."""


PUSH_SUBSCRIPTIONS: Final = Table(
    "push_subscriptions",
    METADATA,
    Column("id", String(64), primary_key=True),
    Column("player_id", ForeignKey("players.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("endpoint", String(2000), nullable=False),
    Column("p256dh", String(128), nullable=False),
    Column("auth", String(32), nullable=False),
    Column("device", String(60)),
    Column("created", DateTime, nullable=False),
    Column("used", DateTime),
)
"""Browsers that take Web Push messages for a player, by a hash of their endpoint. ``used`` is when the last message
arrived."""


MAIL_ADDRESSES: Final = Table(
    "mail_addresses",
    METADATA,
    Column("player_id", ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
    Column("address", String(254), nullable=False, index=True),
    Column("verified", DateTime),
    Column("secret", String(64)),
    Column("expires", DateTime),
    Column("refused", Integer, nullable=False, server_default="0"),
)
"""Players' mail addresses. ``secret`` is the hash of the secret in the link that verifies it, until ``expires``.
``refused`` is how often in a row its mail server has said that there is no such mailbox."""


WEBHOOKS: Final = Table(
    "webhooks",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("player_id", ForeignKey("players.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("url", String(2000), nullable=False),
    Column("form", String(8), nullable=False),
    Column("secret", String(64), nullable=False),
    Column("created", DateTime, nullable=False),
    Column("failed", DateTime),
    Column("error", String(120)),
    Column("failures", Integer, nullable=False),
    Column("off", Boolean, nullable=False),
)
"""Addresses that are called with what a player is told: ``form`` is ``json`` (signed with the secret), ``discord`` or
``slack``. ``failed`` is since when it has not worked, with the last ``error`` and the number of ``failures`` in a row;
``off`` whether it was switched off for that."""


CALENDARS: Final = Table(
    "calendars",
    METADATA,
    Column("player_id", ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
    Column("secret", String(64), nullable=False, unique=True),
)
"""The calendar feed of a player, by the hash of the secret in its address."""


RELATIONS: Final = Table(
    "relations",
    METADATA,
    Column("player_id", ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
    Column("other_id", ForeignKey("players.id", ondelete="CASCADE"), primary_key=True, index=True),
    Column("kind", String(8), nullable=False),
    Column("created", DateTime, nullable=False),
    CheckConstraint("kind IN ('follow', 'block')", "kind"),
)
"""Whom a player follows or has blocked."""


SEAT_ALERTS: Final = Table(
    "seat_alerts",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("player_id", ForeignKey("players.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("rules", String(16)),
    Column("speed", String(8)),
    Column("rated", Boolean),
    Column("created", DateTime, nullable=False),
    Column("expires", DateTime, nullable=False),
    Column("told", DateTime),
)
"""Seats that a player wants to be told of when somebody offers one; null: any. ``told`` is when the player last was."""


VACATIONS: Final = Table(
    "vacations",
    METADATA,
    Column("player_id", ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
    Column("begins", DateTime, primary_key=True),
    Column("ends", DateTime, nullable=False),
    Index("ix_vacations_ends", "ends"),
)
"""Vacations of players: their days games stand meanwhile. ``ends`` is earlier than planned if the player came back."""


PLANS: Final = Table(
    "plans",
    METADATA,
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("player_id", ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
    Column("ply", Integer, nullable=False),
    Column("replies", JSON, nullable=False),
    Column("updated", DateTime, nullable=False),
)
"""Conditional moves of a player in a game: from ``ply`` on, the reply to each expected move, and so on. Only the player
may read them."""


NOTEBOOKS: Final = Table(
    "notebooks",
    METADATA,
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("player_id", ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
    Column("note", String, nullable=False),
    Column("tree", String, nullable=False),
    Column("updated", DateTime, nullable=False),
)
"""A player's private notes and variations in a game; the latter as a text record. Only the player may read them."""


DUMP_VERSIONS: Final = Table(
    "dump_versions",
    METADATA,
    Column("month", String(7), primary_key=True),
    Column("version", String(32), nullable=False),
)
"""Months (``2026-10``) with rated games of players who have been deleted since, with a version that changes at every
such deletion: a public file of the month with another version still names one of them."""
