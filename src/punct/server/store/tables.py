"""The tables."""

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
    Index("ix_games_updated", "updated", "id"),
    Index("ix_games_owner_id", "owner_id"),
    Index("ix_games_deadline", "deadline"),
    Index("ix_games_open", "updated", sqlite_where=text("ending IS NULL"), postgresql_where=text("ending IS NULL")),
)
"""The games. ``revision`` grows with every change, and every change names the one it was made for. ``undone`` are the
moves taken back, the next one first, each with when it was played and its comment; null if there are none.

Online, a game has an owner, who may delete it; null for a game made at home. ``listed`` games anybody may find and
watch. ``time`` is the time control as it is written (``5+3``, ``3d``; null: none); ``left_w`` and ``left_b`` the
milliseconds each had left when the one to move began to think at ``ticking``, who loses at ``deadline``; ``lag_w`` and
``lag_b`` those that each was given for the network so far, null for none. ``offer`` is what one side has offered the
other (``draw``, ``undo``, ``rematch``); ``next_id`` the game that a rematch became. ``uncounted`` is why a rated game
that is over counts for no rating (``short``, ``pair``, ``guest``); null if it does, or nobody has decided yet."""

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
"""Who plays a colour in a game. Online, a person's seat is a player's; at home it is anybody's. Neither here nor in
``games`` the database itself watches over players' ids: SQLite cannot add that to a table without copying it."""

MOVES: Final = Table(
    "turns",
    METADATA,
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("ply", Integer, primary_key=True),
    Column("text", String(16), nullable=False),
    Column("played", DateTime),
    Column("comment", String),
)
"""The moves played here. The key makes sure that a ply is played once."""

RECORDS: Final = Table(
    "records",
    METADATA,
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("moves", String, nullable=False),
    Column("comments", JSON(none_as_null=True)),
    Column("ply", Integer, nullable=False),
)
"""The moves that games came with: of each game all in one row, with spaces between, and comments by ply. So a record of
hundreds of games is stored in a moment, all or none, and nobody's turn waits for a hundred thousand rows. ``ply`` is
how many of them the game still begins with; what was played after those is among the moves played."""

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
    CheckConstraint("kind IN ('guest', 'person', 'bot', 'admin')", "kind"),
)
"""Whoever plays online: guests, and account holders (persons, bots, administrators), who have a login."""

SESSIONS: Final = Table(
    "sessions",
    METADATA,
    Column("id", String(64), primary_key=True),
    Column("player_id", ForeignKey("players.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("created", DateTime, nullable=False),
    Column("expires", DateTime, nullable=False),
)
"""Browsers in which a player is known, by the hash of the secret in their cookie."""

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
"""With which programs speak for a player, by the token's hash. ``scopes`` are divided by spaces."""

PASSKEYS: Final = Table(
    "passkeys",
    METADATA,
    Column("id", String(512), primary_key=True),
    Column("player_id", ForeignKey("players.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("public_key", LargeBinary, nullable=False),
    Column("used_times", Integer, nullable=False),
    Column("created", DateTime, nullable=False),
)
"""Keys on players' own devices, instead of passwords."""

SECRETS: Final = Table(
    "secrets",
    METADATA,
    Column("name", String(32), primary_key=True),
    Column("value", String(128), nullable=False),
)
"""The server's own: ``cookies`` is the key its cookies are signed with, ``adoption`` the hash of the secret with which
somebody may become its administrator, ``reset`` and a player's id that of the one with which that player's password may
be set, and until when."""

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
"""How strong a player is, by pool: rules and speed, as ``standard-live``."""

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
)
"""What a game did to a player's rating. The key makes sure that a game counts once."""

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
)
"""Games that want a second player. An unlisted one is found by its id alone, which nobody can guess. ``colour`` is the
challenger's, null for a random one; ``game_id`` the game that it became."""

REQUESTS: Final = Table(
    "requests",
    METADATA,
    Column("player_id", String(32), primary_key=True),
    Column("key", String(64), primary_key=True),
    Column("made", String, nullable=False),
    Column("at", DateTime, nullable=False, index=True),
    Column("wish", String(32)),
)
"""What was asked with a key, and what it made (a game's or a challenge's id, say): asked again, it is not made again.
``wish`` is a hash of the request, by which another one with the same key is known; null if it came before that was."""

PULSE: Final = Table(
    "pulse",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("at", DateTime, nullable=False),
)
"""1: when the server was last known to run; clocks stand still while it does not. 2: when a program beside it, as
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
"""What was played in a position, and how those games ended: openings. ``position`` is the number it shares with its
images on a turned or mirrored board, ``move`` the packed move as it is in the image that has it. ``rated`` of the games
have a rating, and ``rating`` is the sum of these; ``last`` the day of the last one, in days since 1970, 0 if unknown.
SQLite keeps the rows in the order of their key, and without another: half the bytes."""

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
"""This server's games that are counted among the openings, at which revision and with what: so that each counts once,
and what was counted can be taken out again. Its game is null once that is deleted, by whomever."""

EXPLORED_STALE: Final = Table(
    "explored_stale",
    METADATA,
    Column("position", BigInteger, primary_key=True, autoincrement=False),
    Column("move", Integer, primary_key=True, autoincrement=False),
    Column("day", Integer, nullable=False),
    sqlite_with_rowid=False,
)
"""Steps of this server's games whose last day is that of a game that no longer counts: it is to be found anew among the
games that do, which takes too long for the change that took the game out."""

EXPLORED_ARCHIVE: Final = Table(
    "explored_archive",
    METADATA,
    Column("game", BigInteger, primary_key=True, autoincrement=False),
)
"""The games of archives that are counted among the openings, by a hash of who played what."""

ANALYSES: Final = Table(
    "analyses",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("tree", String, nullable=False),
    Column("created", DateTime, nullable=False),
    Column("seen", DateTime, nullable=False, index=True),
)
"""Analyses that somebody shares, as text records with variations. ``seen`` is the day they were last asked for."""

REVIEWS: Final = Table(
    "reviews",
    METADATA,
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("moves", String(32), nullable=False),
    Column("review", JSON, nullable=False),
    Column("updated", DateTime, nullable=False),
)
"""Reviews of finished games, each with a hash of the moves it is about: the game may have been played on since."""

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
"""How strong an account holder is at puzzles, and the most they have solved in a row and against the clock."""

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
"""The first time that somebody tried a puzzle. The key makes sure that it counts once."""

PUZZLE_DAYS: Final = Table(
    "puzzle_days",
    METADATA,
    Column("player_id", ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
    Column("day", Integer, primary_key=True, autoincrement=False),
)
"""The days, since 1970, whose puzzle somebody has solved: perhaps one that they had tried before."""

PUZZLE_RATINGS: Final = Table(
    "puzzle_ratings",
    METADATA,
    Column("puzzle", String(16), primary_key=True),
    Column("rating", Float, nullable=False),
    Column("deviation", Float, nullable=False),
    Column("volatility", Float, nullable=False),
    Column("tries", Integer, nullable=False),
)
"""How hard a puzzle has turned out to be for those who tried it. One that nobody has tried has the rating it came with,
and no row."""
