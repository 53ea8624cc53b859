"""The kernel in the page says what the server says: the same views, explanations and refusals, word for word."""

from __future__ import annotations

import gzip
import random
import subprocess
from base64 import b64decode
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import orjson
import pytest
from bench.kernel import SIGNATURE_POSITIONS
from tests.engine.last_moves import TEMPTING, UNVISITED
from tests.kernel.lockstep import TASTES
from tests.kernel.page import BUILT, NAME, ROOT, Question, ask, ask_without_network, network
from tests.kernel.test_perft import ENTRIES

from punct import Colour, Game, Position, PunctError, kernel
from punct._kernel import Searcher
from punct.analysis import Prover, last_piece_wins
from punct.engine import Engine
from punct.engine.core import Task
from punct.engine.network import OWN, load_network, own_network
from punct.geometry import SPACES, Heading
from punct.piece import SET_SIZE, Kind
from punct.server.api import present
from punct.server.api.errors import rules_error
from punct.server.play.game import reached
from punct.server.play.moment import explain, look, manner_of

LARGEST = 146_000
"""Bytes, compressed as they are sent. Vectors are 12,000 of them: without, a search by the network takes 2.7 times as
long."""
PATIENT = 1e9
TACTICS = ROOT / "tests" / "engine" / "tactics.jsonl"
VECTORS = ROOT / "tests" / "vectors" / "games.jsonl.gz"


@cache
def games() -> list[tuple[str, list[str]]]:
    """Return a start and turns: games of both rules, some with many jumps and bridges, looked at every few turns."""
    with gzip.open(VECTORS, "rt", encoding="utf-8") as lines:
        found: list[tuple[str, list[str]]] = [
            (f"{told['rules']} w", told["moves"]) for told in map(orjson.loads, lines)
        ]
    found += [("standard w wEa8se wEd8se wEg8se wEj9ne wTp11se", ["Cn11se"]), ("standard b wEa8se wEd8se wEg8se", [])]
    for seed in range(32):
        rules, taste = ("standard", "basic")[seed % 2], TASTES[seed % len(TASTES)]
        position = kernel.Position(f"{rules} w")
        position.play_random(seed, 400, raised=taste.raised, bridge=taste.bridge, moved=taste.moved)
        turns = [str(move) for move in position.moves]
        cuts = [*range(0, min(len(turns), 90), 2), len(turns)]
        found += [(f"{rules} w", turns[:cut]) for cut in cuts]
        # And from a position in the middle, whose pieces are named as they are written.
        middle = kernel.Position(f"{rules} w")
        for turn in turns[:30]:
            middle.push(turn)
        found += [(str(middle), turns[30:cut]) for cut in cuts if cut >= 30]
    return found


def as_sent(answer: dict[str, Any]) -> Any:
    return orjson.loads(orjson.dumps(answer))


def test_it_is_small_enough_to_be_fetched() -> None:
    assert len(gzip.compress(BUILT.read_bytes(), 9)) <= LARGEST


def test_it_is_put_beside_a_page_that_was_built_before_it_and_for_none_of_other_sources(tmp_path: Path) -> None:
    name, other = NAME.read_text().strip(), "assets/kernel-000000000000.wasm"
    (tmp_path / "assets").mkdir()

    def put_beside(named: str) -> set[str]:
        (tmp_path / "assets" / "index.js").write_text(f'open("/{named}")')
        command = ["make", "-s", "-o", "build/wasm/kernel.wasm", "page-kernel", f"CLIENT={tmp_path / 'index.html'}"]
        subprocess.run(command, cwd=ROOT, check=True)
        return {file.name for file in tmp_path.glob("assets/*.wasm")}

    assert put_beside(other) == set()
    (tmp_path / name).write_text("of older sources")
    assert put_beside(name) == {name.removeprefix("assets/")}
    assert (tmp_path / name).read_bytes() == BUILT.read_bytes()


def test_the_board_is_the_server_s() -> None:
    assert ask([("punct_board", [], [])]) == [present.board().model_dump(mode="json")]


def test_views_are_the_server_s() -> None:
    """Thousands of positions, every field."""
    asked = games()
    assert len(asked) > 2000
    endings: Counter[str] = Counter()
    answers = ask([("punct_view", [start, *turns], []) for start, turns in asked])
    for (start, turns), answer in zip(asked, answers, strict=True):
        position = reached(start, turns)
        assert answer == as_sent(present.position(look(position, position.outcome()))), (start, turns)
        endings[str(answer["outcome"] and answer["outcome"]["reason"])] += 1
        endings[answer["last"]["manner"] if answer["last"] else "start"] += 1
    assert {"None", "connection", "centre_count", "add", "move", "turn", "jump", "bridge"} <= set(endings)


def reached_in_a_game(start: str, turns: list[str]) -> Game:
    """Return a game after some turns, or as many of them as it has before it is drawn."""
    game = Game(start)
    for turn in turns:
        if game.outcome():
            break
        game.push(turn)
    return game


def test_games_are_the_server_s() -> None:
    """Their turns one by one, how often the position has stood, and the draw that comes of it."""
    around = ["d5-d8ne", "l10-l13n", "d8-d5ne", "l13-l10n"]
    wanted = [*games()[::25], *(("standard w", ["Ed5ne", "Tl10n", *(around * 3)[:count]]) for count in range(9))]
    asked = [reached_in_a_game(start, turns) for start, turns in wanted]
    times: Counter[int] = Counter()
    answers = ask([("punct_game", [str(game.start), *map(str, game.moves)], []) for game in asked])
    for game, answer in zip(asked, answers, strict=True):
        position = reached(str(game.start), [])
        for ply, (move, told) in enumerate(zip(game.moves, answer["turns"], strict=True)):
            colour = position.turn
            position.push(move)
            kind, manner, level = manner_of(move, position)
            assert told == {
                "ply": ply,
                "text": move.text,
                "colour": "wb"[colour],
                "kind": kind.value,
                "manner": manner,
                "level": level,
            }
        assert answer["repetitions"] == game.repetitions
        assert answer["view"] == as_sent(present.position(look(position, game.outcome())))
        times[answer["repetitions"]] += 1
    assert set(times) == {1, 2, 3}


def wishes(position: kernel.Position, rng: random.Random) -> list[tuple[str, bool]]:
    """Return turns that somebody might like to play, most of them not allowed; some without a heading."""
    shown = [piece.space for piece in position.pieces] + [space for piece in position.pieces for space in piece.spaces]
    found = []
    for _ in range(6):
        kind, heading = rng.choice(list(Kind)), rng.choice(list(Heading))
        space, other = rng.choice(SPACES), rng.choice(shown) if shown else rng.choice(SPACES)
        line = rng.choice([*other.line(rng.choice(list(Heading))), other])
        any_heading = rng.random() < 0.5
        tail = "" if any_heading else str(heading)
        stated = kind.value if rng.random() < 0.1 else ""
        found += [
            (f"{kind}{space}{tail}", any_heading),
            (f"{kind}{other}{tail}", any_heading),
            (f"{stated}{other}-{line}{tail}", any_heading),
            (f"{other}-{rng.choice(shown) if shown else space}{tail}", any_heading),
        ]
    if not position.outcome():
        found.append((str(position.legal_moves.choice(rng)), False))
    return found


NONSENSE = [
    "",
    " ",
    "Ed5",
    "ed5ne",
    "Zd5ne",
    "Ed5x",
    "Ed5neneneneneee",
    "d5-",
    "d5-h9",
    "d5-h99se",
    "Ea1n",
    "Er5n",
    "Ed05n",
    "Ed100n",
    "D5-H9se",
    " Ed5ne\t",
    "E d5ne",
    "Ed5NE",
    "it's",
    'say "x"',
    "back\\slash",
    "new\nline",
    "'\"",
    "x" * 60,
    "Ed5né",
    "É",
]


def test_explanations_are_the_server_s() -> None:
    rng = random.Random(7)
    asked: list[Question] = []
    expected = []
    reasons: Counter[str] = Counter()
    for start, turns in games()[::6]:
        position = reached(start, turns)
        outcome = position.outcome()
        wanted = wishes(position, rng)
        if len(asked) < 20:
            wanted += [(text, any_heading) for text in NONSENSE for any_heading in (False, True)]
        for text, any_heading in wanted:
            asked.append(("punct_explain", [text, start, *turns], [any_heading]))
            expected.append(as_sent(present.explanation(explain(position, outcome, text, any_heading=any_heading))))
            reasons[expected[-1]["reason"]] += 1
    for question, answer, wanted_answer in zip(asked, ask(asked), expected, strict=True):
        assert answer == wanted_answer, question
    assert len(asked) > 8000 and len(reasons) > 18


BAD_POSITIONS = [
    "",
    "standard",
    "basic ",
    "standard x",
    "chess w",
    "w standard",
    "standard w wTb9",
    "standard w wTb9ne extra",
    "standard w xTb9ne",
    "standard w wZb9ne",
    "standard w wTz9ne",
    "standard w wTb99ne",
    "standard w wTb9xx",
    "standard w wEa8n",
    "standard w wCb2n wCd2n wCf3n",
    "standard w wTb3n wTb3ne",
    "standard w wEb3n wTb3se",
    "standard w wTb3n wTb3ne nonsense",
    "standard w " + "wTb3n " * 900,
    "standard w Tb3n",
    "standard w wTd5-d6n",
    "STANDARD w",
    "standard\tw\nwTb9ne",
    "standard w b",
    "standard w wEd5ne wEd5n",
]


def test_what_makes_no_sense_is_refused_in_the_server_s_words() -> None:
    games_with_faults: list[tuple[str, list[str]]] = [(text, []) for text in BAD_POSITIONS]
    games_with_faults += [("standard w", [text]) for text in NONSENSE]
    games_with_faults += [("standard w", ["Ed5ne", text]) for text in ("Ed5ne", "d5-h9se", "Ci9s", "Cd14s", "a9-a9n")]
    answers = ask([("punct_view", [start, *turns], []) for start, turns in games_with_faults])
    for (start, turns), answer in zip(games_with_faults, answers, strict=True):
        try:
            position = reached(start, turns)
        except PunctError as error:
            told = rules_error(error).model_dump(mode="json")
            refused = {"detail": None, **answer["error"]}
            if told["detail"]["fault" if "fault" in told["detail"] else "reason"] == "support":
                told["message"] = (
                    told["message"].partition(";")[0] + "."
                )  # the server also tells how high each floor is
            assert refused == told, (start, turns)
        else:
            assert answer["text"] == str(position)


def test_what_is_impossible_is_what_the_library_finds() -> None:
    rng = random.Random(3)
    texts = ["standard w", "standard b", "standard w wTb3n", "basic b bTb3n", "basic w bTb3n", "basic b wTb3n wTd3n"]
    texts += ["basic b wTi9n", "basic w wEb3n bEd3n wEb3se", "basic w wEb3n bEd3n wCc3se"]
    texts += ["standard w wEa8se wEd8se wEg8se wEj9ne wTp11se wCn11se"]
    for seed in range(200):
        position = kernel.Position(rng.choice(["standard w", "basic w"]))
        position.play_random(seed, rng.randrange(1, 120), raised=60, bridge=60, moved=20)
        words = str(position).split()
        # As it is; with the other to move; with colours changed; with a piece less.
        changed = [word.translate(str.maketrans("wb", "bw")) if rng.random() < 0.1 else word for word in words[2:]]
        for pieces, turn in ((words[2:], "wb"[words[1] == "w"]), (changed, words[1]), (words[2:-1], words[1])):
            texts.append(" ".join((words[0], turn, *pieces)))
    codes: Counter[str] = Counter()
    for text, answer in zip(texts, ask([("punct_status", [text], []) for text in texts]), strict=True):
        try:
            position = kernel.Position(text)
        except PunctError as error:
            assert [(found["code"], found["values"]["token"]) for found in answer] == [(error.code, error.token)], text
            continue
        assert [in_words(found) for found in answer] == list(position.status()), text
        codes.update(found["code"] for found in answer)
    assert len(codes) == 9, codes


def in_words(found: dict[str, Any]) -> str:
    """Return the library's sentence for a finding."""
    told = found["values"]
    colour = {"w": "White", "b": "Black"}
    match found["code"]:
        case "black_without_white":
            return "Black has pieces on the board, but White, who begins, has none"
        case "black_missed":
            return "White is to move and has pieces on the board, but Black has none: Black would have had to add one"
        case "white_missed":
            return "Black is to move, but White, who begins, has no piece on the board"
        case "white_ahead":
            return f"White has {told['count']} pieces on the board before Black has added one"
        case "first_in_centre":
            return f"White's first piece, {told['piece']}, touches the central hexagon"
        case "all_added":
            return f"{colour[told['colour']]} is to move but has added all 18 pieces: the last one ends the game"
        case "punct_over_empty":
            return f"{told['piece']} at level {told['level']} has its PÜNCT over an empty space"
        case "punct_on_opponent":
            below = colour[told["below"][0]]
            return f"{told['piece']} at level {told['level']} has its PÜNCT on a piece of {below}, {told['below']}"
        case "ended_before":
            mover, waiting = colour[told["colour"]], colour["wb"[told["colour"] == "w"]]
            return (
                f"{mover}'s chain ended the game before, for {waiting} has no free piece that could have uncovered it"
            )
        case code:
            raise AssertionError(code)


def test_the_canonical_position_is_the_library_s() -> None:
    asked = games()[::40]
    answers = ask([("punct_canonical", [start, *turns], []) for start, turns in asked])
    for (start, turns), answer in zip(asked, answers, strict=True):
        position, symmetry = reached(start, turns).canonical()
        assert answer == {"text": str(position), "symmetry": symmetry.number}


def test_insights_are_the_library_s() -> None:
    """Distances, counts, free pieces and what wins at once, of both players whoever is to move."""
    whole = games()[:40]  # to the end, where the count decides: so are the turns before it
    asked = [*games()[::12], *((start, turns[:-back]) for start, turns in whole for back in range(1, 6))]
    answers = ask([("punct_insight", [start, *turns], []) for start, turns in asked])
    wins: Counter[object] = Counter()
    for (start, turns), answer in zip(asked, answers, strict=True):
        position = reached(start, turns)
        is_open = position.outcome() is None
        for colour in Colour:
            told = answer[colour.letter]
            assert told == {
                "distances": list(position.distance(colour)),
                "centre": position.centre_count()[colour],
                "left": SET_SIZE - position.on_board(colour),
                "free": len(position.free_pieces(colour)),
                "wins": len(position.winning_moves(colour)) if is_open else 0,
                "last_piece_wins": is_open and last_piece_wins(position, colour),
            }, (start, turns)
            wins.update({("by a chain", bool(told["wins"])): 1, ("by the count", told["last_piece_wins"]): 1})
    assert min(wins.values()) >= 5 and len(wins) == 4, wins


def test_perft_is_the_shared_files() -> None:
    answers = ask([("punct_perft", [position], [depth]) for position, depth, _ in ENTRIES])
    assert answers == [count for _, _, count in ENTRIES]


def test_legal_turns_are_those_of_the_independent_implementation() -> None:
    with gzip.open(VECTORS.with_name("positions.jsonl.gz"), "rt", encoding="utf-8") as lines:
        told = [orjson.loads(line) for line in lines]
    answers = ask([("punct_view", [vector["position"]], []) for vector in told])
    for vector, answer in zip(told, answers, strict=True):
        assert sorted(turns_of(answer["legal"])) == sorted(vector["legal"])


def turns_of(legal: dict[str, Any]) -> list[str]:
    """Return the turns that a view's masks stand for."""
    found = []
    for name, table in (("adds", legal["adds"]), ("moves", legal["moves"])):
        for of, headings in table.items():
            for heading, mask in headings.items():
                bits = int.from_bytes(b64decode(mask), "little")
                spaces = [space for number, space in enumerate(SPACES) if bits >> number & 1]
                found += [f"{of}{'-' if name == 'moves' else ''}{space}{heading}" for space in spaces]
    return found


def searched(position: str, turns: list[str], nodes: int, seed: int, variations: int) -> tuple[Question, Any]:
    """Return a search for the page's kernel, and what the native one finds: moves, scores, proofs, visits."""
    searcher = Searcher(16)
    searcher.set_network(own_network())
    told = searcher.search(position, turns, nodes=nodes, seed=seed, variations=variations)
    keys = ("move", "score", "visits", "proven", "pv")
    lines = [{key: line[key] for key in keys} for line in told["variations"]]
    return ("punct_search", [position, *turns], [nodes, 0, variations, seed, 0]), (told["nodes"], told["depth"], lines)


def test_searches_find_what_the_native_ones_do_in_slices() -> None:
    """To the last bit of every score, though each search goes on for a millisecond at a time."""
    wanted = [searched(text, [], 500, 0, 5) for text in SIGNATURE_POSITIONS]
    wanted += [searched(text, [], 1200, 3, 1) for text in SIGNATURE_POSITIONS[::4]]
    wanted += [searched(text, [], nodes, seed, 1) for text, nodes, seed in UNVISITED]
    start, turns = next((start, turns) for start, turns in games() if len(turns) == 40)
    wanted.append(searched(start, turns, 300, 1, 2))
    for (question, (nodes, depth, lines)), answer in zip(
        wanted, ask([question for question, _ in wanted]), strict=True
    ):
        found = [{**line, "score": line["score"] / 2**60} for line in answer["variations"]]
        assert (answer["nodes"], answer["depth"], found) == (nodes, depth, lines), question


def without_times(answer: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in answer.items() if key != "microseconds"}


def test_without_a_network_nothing_is_searched_and_one_that_is_damaged_is_refused(tmp_path: Path) -> None:
    """Rather than at another strength; all else is answered, and a network that was taken before stays."""
    own = OWN.read_bytes()
    faults = {
        "empty": b"",
        "another thing": b"GIF89a" + own[6:],
        "another version": own[:8] + b"\xff" + own[9:],
        "cut short": own[: len(own) // 2],
        "too long": own + b"\0",
        "a bit of it turned over": own[:5000] + bytes([own[5000] ^ 1]) + own[5001:],
    }
    said = []
    for name, content in faults.items():
        path = tmp_path / name
        path.write_bytes(content)
        with pytest.raises(PunctError) as native:
            load_network(path)
        reason = str(native.value).partition(" cannot be played by: ")[2]
        said.append({"error": {"code": "no-network", "message": f"The network cannot be used: {reason}."}})
    damaged = [network(tmp_path / name) for name in faults]
    search: Question = ("punct_search", ["standard w"], [40, 0, 3, 1, 0])
    play: Question = ("punct_play", ["standard w"], [3, 1])
    none = {"error": {"code": "no-network", "message": "There is no network to play by."}}
    view: Question = ("punct_view", ["standard w"], [])
    prove: Question = ("punct_prove", ["standard w"], [0, 1, 10])
    first = ask_without_network([search, play, view, prove, *damaged, search, network(), search, *damaged, search])
    assert first[:2] == [none, none] and first[2]["text"] == "standard w" and not first[3]["won"]
    assert first[4:] == [*said, none, True, first[-1] | first[6 + len(said)], *said, first[-1]]
    assert without_times(first[-1]) == without_times(first[6 + len(said)]) == without_times(ask([search])[0])


@pytest.mark.parametrize("level", range(1, 8))
def test_a_level_plays_the_same_turn_in_the_page_and_on_the_server(level: int) -> None:
    asked = [(start, turns) for start, turns in games()[level * 5 :: 61] if 0 < len(turns) < 60]
    asked = [(start, turns) for start, turns in asked if not reached(start, turns).outcome()][: 20 - 2 * level]
    assert len(asked) > 4
    asked += [(text, []) for weak, _, text in TEMPTING if weak == level]
    answers = ask([("punct_play", [start, *turns], [level, seed]) for seed, (start, turns) in enumerate(asked)])
    for seed, ((start, turns), answer) in enumerate(zip(asked, answers, strict=True)):
        task = Task(Position(str(reached(start, turns))), start, turns)
        played = Engine(level, seed=seed, hash_mb=16).play(task)
        assert (answer["move"], answer["nodes"]) == (str(played.move), played.nodes), (start, turns)


def test_proofs_are_the_native_ones_in_slices() -> None:
    tactics = [orjson.loads(line) for line in TACTICS.read_bytes().splitlines()]
    asked = [told for told in tactics if told["turns"] in (1, 2)][::2] + [
        told for told in tactics if told["turns"] == 3
    ][:2]
    assert len(asked) > 15
    defended = [(told["position"], told["best"][0], told["turns"] - 1) for told in asked if told["turns"] > 1]
    answers = ask(
        [("punct_prove", [told["position"]], [0, told["turns"], PATIENT]) for told in asked]
        + [("punct_prove", [position, turn], [1, left, PATIENT]) for position, turn, left in defended]
        + [("punct_prove", [asked[-1]["position"]], [0, 3, 200])]
    )
    for told, answer in zip(asked, answers, strict=False):
        line = [str(move) for move in Prover().line(told["position"], told["turns"])]
        assert answer == {"decided": True, "won": True, "turns": 0, "line": line}
    for (position, turn, left), answer in zip(defended, answers[len(asked) :], strict=False):
        board = Position(position)
        board.push(turn)
        native = Prover().answer(board, left)
        assert (answer["won"], answer["turns"], answer["line"][0]) == (True, native.turns, str(native.reply))
        assert native.lost and len(answer["line"]) == 2 * native.turns
    assert answers[-1] == {"decided": False, "won": False, "turns": 0, "line": []}
