"""Create what players far apart need: messages to those who are away, relations, pauses, plans and notebooks."""

import unicodedata
from collections.abc import Iterable

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

_PREFIXED = sa.String(60).with_variant(sa.String(60, collation="C"), "postgresql")
_NEW_COLUMNS = (
    ("games", "pauses", sa.String(40)),
    ("players", "handle", sa.String(30)),
    ("players", "handle_key", _PREFIXED),
    ("players", "name_key", _PREFIXED),
    ("challenges", "to_id", sa.String(32)),
    ("challenges", "places", sa.Integer()),
    ("challenges", "declined", sa.DateTime()),
    ("challenges", "words", sa.String(200)),
    ("challenges", "replaces", sa.String(32)),
    ("turns", "seconds", sa.Integer()),
)
_NEW_INDEXES = (
    ("ix_players_handle_key", "players", ["handle_key"], True),
    ("ix_challenges_to_id", "challenges", ["to_id"], False),
    ("ix_rated_at", "rated", ["at", "game_id"], False),
)


def upgrade() -> None:
    """Create tables and nullable columns: processes of the last version work without them."""
    for table, name, kind in _NEW_COLUMNS:
        op.add_column(table, sa.Column(name, kind))
    op.add_column("players", sa.Column("hides_hours", sa.Boolean(), nullable=False, server_default=sa.false()))
    for index, table, columns, unique in _NEW_INDEXES:
        op.create_index(index, table, columns, unique=unique)
    has_login = sa.text("login IS NOT NULL")
    op.create_index("ix_players_name_key", "players", ["name_key"], sqlite_where=has_login, postgresql_where=has_login)
    _fill_name_keys()
    _create(
        "handles",
        ["key"],
        _text("key", 60),
        _text("player_id", 32),
        _text("handle", 30),
        _time("chosen"),
        indexes={"player_id": ["player_id"]},
    )
    op.create_table(
        "notices",
        _text("id", 32),
        _text("player_id", 32),
        _text("kind", 16),
        _text("subject", 64),
        sa.Column("data", sa.JSON()),
        _time("created"),
        _time("due"),
        sa.PrimaryKeyConstraint("id", name="pk_notices"),
    )
    op.create_index("ix_notices_due", "notices", ["due"])
    op.create_index("ix_notices_player_id", "notices", ["player_id", "subject"])
    _create(
        "deliveries",
        ["id"],
        _text("id", 32),
        _text("player_id", 32),
        _text("channel", 8),
        _text("target", 64),
        _text("kind", 16),
        _text("subject", 64),
        sa.Column("payload", sa.JSON(), nullable=False),
        _time("created"),
        _time("due"),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("claimed", sa.DateTime()),
        indexes={"player_id": ["player_id"], "target": ["target"], "due": ["due"]},
    )
    _create(
        "notice_settings",
        ["player_id"],
        _text("player_id", 32),
        sa.Column("muted", sa.JSON(), nullable=False),
        sa.Column("language", sa.String(8)),
        sa.Column("zone", sa.String(40)),
        sa.Column("digested", sa.DateTime()),
    )
    _create(
        "push_subscriptions",
        ["id"],
        _text("id", 64),
        _text("player_id", 32),
        _text("endpoint", 2000),
        _text("p256dh", 128),
        _text("auth", 32),
        sa.Column("device", sa.String(60)),
        _time("created"),
        sa.Column("used", sa.DateTime()),
        indexes={"player_id": ["player_id"]},
    )
    _create(
        "mail_addresses",
        ["player_id"],
        _text("player_id", 32),
        _text("address", 254),
        sa.Column("verified", sa.DateTime()),
        sa.Column("secret", sa.String(64)),
        sa.Column("expires", sa.DateTime()),
        sa.Column("refused", sa.Integer(), nullable=False, server_default="0"),
        indexes={"address": ["address"]},
    )
    _create(
        "webhooks",
        ["id"],
        _text("id", 32),
        _text("player_id", 32),
        _text("url", 2000),
        _text("form", 8),
        _text("secret", 64),
        _time("created"),
        sa.Column("failed", sa.DateTime()),
        sa.Column("error", sa.String(120)),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("off", sa.Boolean(), nullable=False),
        indexes={"player_id": ["player_id"]},
    )
    _create(
        "calendars",
        ["player_id"],
        _text("player_id", 32),
        _text("secret", 64),
        sa.UniqueConstraint("secret", name="uq_calendars_secret"),
    )
    _create(
        "relations",
        ["player_id", "other_id"],
        _text("player_id", 32),
        _text("other_id", 32),
        _text("kind", 8),
        _time("created"),
        sa.CheckConstraint("kind IN ('follow', 'block')", name="ck_relations_kind"),
        _of_player("relations", "other_id"),
        indexes={"other_id": ["other_id"]},
    )
    _create(
        "seat_alerts",
        ["id"],
        _text("id", 32),
        _text("player_id", 32),
        sa.Column("rules", sa.String(16)),
        sa.Column("speed", sa.String(8)),
        sa.Column("rated", sa.Boolean()),
        _time("created"),
        _time("expires"),
        sa.Column("told", sa.DateTime()),
        indexes={"player_id": ["player_id"]},
    )
    _create(
        "appointments",
        ["id"],
        _text("id", 32),
        _text("player_id", 32),
        _text("to_id", 32),
        _text("rules", 16),
        sa.Column("colour", sa.String(1)),
        _text("time", 16),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("dates", sa.JSON(), nullable=False),
        sa.Column("words", sa.String(200)),
        sa.Column("zone", sa.String(40)),
        sa.Column("to_zone", sa.String(40)),
        _time("created"),
        _time("expires"),
        sa.Column("date", sa.DateTime()),
        _time("updated"),
        sa.Column("ended", sa.DateTime()),
        sa.Column("ended_by", sa.String(32)),
        sa.Column("reply", sa.String(200)),
        sa.Column("replaces", sa.String(32)),
        sa.Column("here", sa.DateTime()),
        sa.Column("to_here", sa.DateTime()),
        sa.Column("game_id", sa.String(32)),
        _of_player("appointments", "to_id"),
        indexes={"player_id": ["player_id"], "to_id": ["to_id"]},
    )
    _create(
        "vacations",
        ["player_id", "begins"],
        _text("player_id", 32),
        _time("begins"),
        _time("ends"),
        indexes={"ends": ["ends"]},
    )
    _create(
        "plans",
        ["game_id", "player_id"],
        _text("game_id", 32),
        _text("player_id", 32),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("replies", sa.JSON(), nullable=False),
        _time("updated"),
        _of_game("plans"),
    )
    _create(
        "notebooks",
        ["game_id", "player_id"],
        _text("game_id", 32),
        _text("player_id", 32),
        sa.Column("note", sa.String(), nullable=False),
        sa.Column("tree", sa.String(), nullable=False),
        _time("updated"),
        _of_game("notebooks"),
    )
    op.create_table(
        "dump_versions",
        _text("month", 7),
        _text("version", 32),
        sa.PrimaryKeyConstraint("month", name="pk_dump_versions"),
    )


def downgrade() -> None:
    """Drop them. Where the last version would let somebody lose on time, the clock stands until a move is made."""
    _stop_new_clocks()
    op.drop_column("players", "hides_hours")
    for table in (
        *("dump_versions", "notebooks", "plans", "vacations", "appointments", "seat_alerts", "relations", "calendars"),
        *("webhooks", "mail_addresses", "push_subscriptions", "notice_settings", "deliveries", "notices", "handles"),
    ):
        op.drop_table(table)
    op.drop_index("ix_players_name_key", "players")
    for index, table, _, _ in reversed(_NEW_INDEXES):
        op.drop_index(index, table)
    for table, name, _ in reversed(_NEW_COLUMNS):
        op.drop_column(table, name)


def _fill_name_keys() -> None:
    """Store what the names of account holders are found by; see ``punct.server.auth.handles.search_key``."""
    players = sa.table("players", *(sa.column(name) for name in ("id", "name", "login", "name_key")))
    connection = op.get_bind()
    named = connection.execute(sa.select(players.c.id, players.c.name).where(players.c.name.is_not(None))).all()
    for player_id, name in named:
        connection.execute(sa.update(players).where(players.c.id == player_id).values(name_key=_search_key(name)))


def _stop_new_clocks() -> None:
    """Stop the clocks of running games that the last version reads wrongly: pauses, banks of days, free weekends."""
    games = sa.table("games", *(sa.column(name) for name in ("ending", "pauses", "time", "ticking", "deadline")))
    is_new = sa.or_(games.c.pauses.is_not(None), games.c.time.like("%d+%"), games.c.time.like("%-wd"))
    op.execute(sa.update(games).where(games.c.ending.is_(None), is_new).values(ticking=sa.null(), deadline=sa.null()))


def _search_key(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name.casefold()).translate(str.maketrans("łøđħ", "lodh"))
    kept = "".join(letter for letter in plain if not unicodedata.category(letter).startswith("M"))
    return " ".join(kept.split())[:60]


def _create(
    table: str, key: list[str], *parts: sa.schema.SchemaItem, indexes: dict[str, Iterable[str]] | None = None
) -> None:
    """Create a table of rows that are deleted with their player."""
    op.create_table(table, *parts, _of_player(table), sa.PrimaryKeyConstraint(*key, name=f"pk_{table}"))
    for name, columns in (indexes or {}).items():
        op.create_index(f"ix_{table}_{name}", table, list(columns))


def _text(name: str, length: int) -> sa.Column[str]:
    return sa.Column(name, sa.String(length), nullable=False)


def _time(name: str) -> sa.Column[object]:
    return sa.Column(name, sa.DateTime(), nullable=False)


def _of_player(table: str, column: str = "player_id") -> sa.ForeignKeyConstraint:
    """Return the foreign key that deletes rows with a player."""
    return sa.ForeignKeyConstraint([column], ["players.id"], name=f"fk_{table}_{column}_players", ondelete="CASCADE")


def _of_game(table: str) -> sa.ForeignKeyConstraint:
    """Return the foreign key that deletes rows with a game."""
    return sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=f"fk_{table}_game_id_games", ondelete="CASCADE")
