"""The page's kernel, compiled to WebAssembly, answers what the native kernel and the library do."""

from __future__ import annotations

import gzip
import random
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import orjson
import pytest
from bench.kernel import SIGNATURE_POSITIONS
from tests.engine.last_moves import TEMPTING, UNVISITED
from tests.kernel.lockstep import PREFERENCES
from tests.kernel.page import BUILT, NAME, ROOT, Question, ask, ask_without_network, network
from tests.kernel.test_perft import ENTRIES
from tests.kernel.test_view import legal_texts, reached

from punct import Colour, Game, InvalidMoveError, Position, PunctError, kernel
from punct._kernel import Searcher
from punct.analysis import Prover, last_piece_wins
from punct.engine import Engine, Limits
from punct.engine.core import Task
from punct.engine.network import OWN_NETWORK_PATH, default_network, load_network
from punct.geometry import SPACES, Heading
from punct.kernel.view import explanation_json, view_json
from punct.piece import SET_SIZE, Kind
from punct.server.http.errors import rules_error
from punct.server.positions import board

MAX_COMPRESSED_BYTES = 146_000
"""SIMD is 12,000 of them: without it a search with the network takes 2.7 times as long."""
UNLIMITED_TRIES = 1e9
TACTICS = ROOT / "tests" / "engine" / "tactics.jsonl"
VECTORS = ROOT / "tests" / "vectors" / "games.jsonl.gz"


@cache
def games() -> list[tuple[str, list[str]]]:
    """Return starts and moves: games of both rules, some with many jumps and bridges, cut every few moves."""
    with gzip.open(VECTORS, "rt", encoding="utf-8") as lines:
        games: list[tuple[str, list[str]]] = [
            (f"{game['rules']} w", game["moves"]) for game in map(orjson.loads, lines)
        ]
    games += [("standard w wEa8se wEd8se wEg8se wEj9ne wTp11se", ["Cn11se"]), ("standard b wEa8se wEd8se wEg8se", [])]
    for seed in range(32):
        rules, preference = ("standard", "basic")[seed % 2], PREFERENCES[seed % len(PREFERENCES)]
        position = kernel.Position(f"{rules} w")
        position.play_random(seed, 400, raised=preference.raised, bridge=preference.bridge, moved=preference.moved)
        moves = [str(move) for move in position.moves]
        cuts = [*range(0, min(len(moves), 90), 2), len(moves)]
        games += [(f"{rules} w", moves[:cut]) for cut in cuts]
        # And from a position in the middle, whose pieces are named in canonical order.
        middle = str(reached(f"{rules} w", moves[:30]))
        games += [(middle, moves[30:cut]) for cut in cuts if cut >= 30]
    return games


def test_it_is_small_enough() -> None:
    assert len(gzip.compress(BUILT.read_bytes(), 9)) <= MAX_COMPRESSED_BYTES


def test_it_is_added_to_a_page_of_the_same_sources_only(tmp_path: Path) -> None:
    name, other = NAME.read_text().strip(), "assets/kernel-000000000000.wasm"
    (tmp_path / "assets").mkdir()

    def files_after(named: str) -> set[str]:
        (tmp_path / "assets" / "index.js").write_text(f'open("/{named}")')
        subprocess.run([sys.executable, ROOT / "tools" / "build_page.py", "kernel", tmp_path], check=True)
        return {file.name for file in tmp_path.glob("assets/*.wasm")}

    assert files_after(other) == set()
    (tmp_path / name).write_text("of older sources")
    assert files_after(name) == {name.removeprefix("assets/")}
    assert (tmp_path / name).read_bytes() == BUILT.read_bytes()


def test_the_board_is_the_server_s() -> None:
    assert ask([("punct_board", [], [])]) == [board.board().model_dump(mode="json")]


def test_views_are_the_native_ones() -> None:
    """Thousands of positions, every field."""
    assert len(games()) > 2000
    endings: Counter[str] = Counter()
    answers = ask([("punct_view", [start, *moves], []) for start, moves in games()])
    for (start, moves), answer in zip(games(), answers, strict=True):
        position = reached(start, moves)
        assert answer == orjson.loads(view_json(position, position.outcome())), (start, moves)
        endings[str(answer["outcome"] and answer["outcome"]["reason"])] += 1
        endings[answer["last"]["manner"] if answer["last"] else "start"] += 1
    assert {"None", "connection", "centre_count", "add", "move", "turn", "jump", "bridge"} <= set(endings)


def played_game(start: str, moves: list[str]) -> Game:
    """Return a game after some moves, or as many of them as it has before it is drawn."""
    game = Game(start)
    for move in moves:
        if game.outcome():
            break
        game.push(move)
    return game


def test_games_have_their_moves_and_repetitions() -> None:
    """Each move as the last one of its view, how often the position has occurred, and the draw by repetition."""
    around = ["d5-d8ne", "l10-l13n", "d8-d5ne", "l13-l10n"]
    starts = [*games()[::25], *(("standard w", ["Ed5ne", "Tl10n", *(around * 3)[:count]]) for count in range(9))]
    played = [played_game(start, moves) for start, moves in starts]
    repetitions: Counter[int] = Counter()
    answers = ask([("punct_game", [str(game.start), *map(str, game.moves)], []) for game in played])
    for game, answer in zip(played, answers, strict=True):
        position = reached(str(game.start), [])
        for ply, (move, shown) in enumerate(zip(game.moves, answer["turns"], strict=True)):
            position.push(move)
            last = orjson.loads(view_json(position, None))["last"]
            assert shown == {"ply": ply} | {key: last[key] for key in ("text", "colour", "kind", "manner", "level")}
        assert answer["repetitions"] == game.repetitions
        assert answer["view"] == orjson.loads(view_json(position, game.outcome()))
        repetitions[answer["repetitions"]] += 1
    assert set(repetitions) == {1, 2, 3}


def attempts(position: kernel.Position, rng: random.Random) -> list[tuple[str, bool]]:
    """Return moves, most of them not allowed; some without a heading."""
    shown = [piece.space for piece in position.pieces] + [space for piece in position.pieces for space in piece.spaces]
    moves = []
    for _ in range(6):
        kind, heading = rng.choice(list(Kind)), rng.choice(list(Heading))
        space, other = rng.choice(SPACES), rng.choice(shown) if shown else rng.choice(SPACES)
        line = rng.choice([*other.line(rng.choice(list(Heading))), other])
        any_heading = rng.random() < 0.5
        tail = "" if any_heading else str(heading)
        stated = kind.value if rng.random() < 0.1 else ""
        moves += [
            (f"{kind}{space}{tail}", any_heading),
            (f"{kind}{other}{tail}", any_heading),
            (f"{stated}{other}-{line}{tail}", any_heading),
            (f"{other}-{rng.choice(shown) if shown else space}{tail}", any_heading),
        ]
    if not position.outcome():
        moves.append((str(position.legal_moves.choice(rng)), False))
    return moves


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


def explained(position: kernel.Position, text: str, any_heading: bool) -> dict[str, Any]:
    """Return the native explanation; of a text that is no move, the library's error."""
    try:
        answer = orjson.loads(explanation_json(position, position.outcome(), text, any_heading=any_heading))
    except InvalidMoveError as error:
        answer = dict.fromkeys(("turn", "section"))
        answer |= {"legal": False, "reason": "UNREADABLE", "sentence": str(error), "spaces": [], "headings": []}
    assert isinstance(answer, dict)
    return answer


def test_explanations_are_the_native_ones_and_the_library_s_errors() -> None:
    rng = random.Random(7)
    questions: list[Question] = []
    expected = []
    reasons: Counter[str] = Counter()
    for start, moves in games()[::6]:
        position = reached(start, moves)
        texts = attempts(position, rng)
        if len(questions) < 20:
            texts += [(text, any_heading) for text in NONSENSE for any_heading in (False, True)]
        for text, any_heading in texts:
            questions.append(("punct_explain", [text, start, *moves], [any_heading]))
            expected.append(explained(position, text, any_heading))
            reasons[expected[-1]["reason"]] += 1
    for question, answer, expected_answer in zip(questions, ask(questions), expected, strict=True):
        assert answer == expected_answer, question
    assert len(questions) > 8000 and len(reasons) > 18


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


def test_errors_are_the_server_s() -> None:
    invalid: list[tuple[str, list[str]]] = [(text, []) for text in BAD_POSITIONS]
    invalid += [("standard w", [text]) for text in NONSENSE]
    invalid += [("standard w", ["Ed5ne", text]) for text in ("Ed5ne", "d5-h9se", "Ci9s", "Cd14s", "a9-a9n")]
    answers = ask([("punct_view", [start, *moves], []) for start, moves in invalid])
    for (start, moves), answer in zip(invalid, answers, strict=True):
        try:
            position = reached(start, moves)
        except PunctError as error:
            expected = rules_error(error).model_dump(mode="json")
            if expected["detail"]["fault" if "fault" in expected["detail"] else "reason"] == "support":
                # The server's message also has the height of each floor.
                expected["message"] = expected["message"].partition(";")[0] + "."
            assert {"detail": None, **answer["error"]} == expected, (start, moves)
        else:
            assert answer["text"] == str(position)


def test_impossible_positions_are_the_library_s() -> None:
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
            assert [(item["code"], item["values"]["token"]) for item in answer] == [(error.code, error.token)], text
            continue
        assert [sentence_of(item) for item in answer] == list(position.status()), text
        codes.update(item["code"] for item in answer)
    assert len(codes) == 9, codes


def sentence_of(item: dict[str, Any]) -> str:
    """Return the library's sentence for an impossibility."""
    values = item["values"]
    colour = {"w": "White", "b": "Black"}
    match item["code"]:
        case "black_without_white":
            return "Black has pieces on the board, but White, who begins, has none"
        case "black_missed":
            return "White is to move and has pieces on the board, but Black has none: Black would have had to add one"
        case "white_missed":
            return "Black is to move, but White, who begins, has no piece on the board"
        case "white_ahead":
            return f"White has {values['count']} pieces on the board before Black has added one"
        case "first_in_centre":
            return f"White's first piece, {values['piece']}, touches the central hexagon"
        case "all_added":
            return f"{colour[values['colour']]} is to move but has added all 18 pieces: the last one ends the game"
        case "punct_over_empty":
            return f"{values['piece']} at level {values['level']} has its PÜNCT over an empty space"
        case "punct_on_opponent":
            below = colour[values["below"][0]]
            return (
                f"{values['piece']} at level {values['level']} has its PÜNCT on a piece of {below}, {values['below']}"
            )
        case "ended_before":
            mover, waiting = colour[values["colour"]], colour["wb"[values["colour"] == "w"]]
            return (
                f"{mover}'s chain ended the game before, for {waiting} has no free piece that could have uncovered it"
            )
        case code:
            raise AssertionError(code)


def test_the_canonical_position_is_the_library_s() -> None:
    cut = games()[::40]
    answers = ask([("punct_canonical", [start, *moves], []) for start, moves in cut])
    for (start, moves), answer in zip(cut, answers, strict=True):
        position, symmetry = reached(start, moves).canonical()
        assert answer == {"text": str(position), "symmetry": symmetry.number}


def test_insights_are_the_library_s() -> None:
    """Distances, counts, free pieces and wins in one, of both players."""
    whole = games()[:40]  # to the end, where the count decides
    cut = [*games()[::12], *((start, moves[:-back]) for start, moves in whole for back in range(1, 6))]
    answers = ask([("punct_insight", [start, *moves], []) for start, moves in cut])
    wins: Counter[object] = Counter()
    for (start, moves), answer in zip(cut, answers, strict=True):
        position = reached(start, moves)
        is_open = position.outcome() is None
        for colour in Colour:
            insight = answer[colour.letter]
            assert insight == {
                "distances": list(position.distance(colour)),
                "centre": position.centre_count()[colour],
                "left": SET_SIZE - position.on_board(colour),
                "free": len(position.free_pieces(colour)),
                "wins": len(position.winning_moves(colour)) if is_open else 0,
                "last_piece_wins": is_open and last_piece_wins(position, colour),
            }, (start, moves)
            wins.update({("by a chain", bool(insight["wins"])): 1, ("by the count", insight["last_piece_wins"]): 1})
    assert min(wins.values()) >= 5 and len(wins) == 4, wins


def test_perft_is_the_shared_files() -> None:
    answers = ask([("punct_perft", [position], [depth]) for position, depth, _ in ENTRIES])
    assert answers == [count for _, _, count in ENTRIES]


def test_legal_moves_are_those_of_the_independent_implementation() -> None:
    with gzip.open(VECTORS.with_name("positions.jsonl.gz"), "rt", encoding="utf-8") as lines:
        vectors = [orjson.loads(line) for line in lines]
    answers = ask([("punct_view", [vector["position"]], []) for vector in vectors])
    for vector, answer in zip(vectors, answers, strict=True):
        assert sorted(legal_texts(answer["legal"])) == sorted(vector["legal"])


def search_and_result(position: str, moves: list[str], nodes: int, seed: int, variations: int) -> tuple[Question, Any]:
    """Return a search for the page's kernel, and the native result: moves, scores, proofs, visits."""
    searcher = Searcher(16)
    searcher.set_network(default_network())
    report = searcher.search(position, moves, nodes=nodes, seed=seed, variations=variations)
    keys = ("move", "score", "visits", "proven", "pv")
    best = [{key: variation[key] for key in keys} for variation in report["variations"]]
    return ("punct_search", [position, *moves], [nodes, 0, variations, seed, 0]), (
        report["nodes"],
        report["depth"],
        best,
    )


@pytest.mark.usefixtures("shipped_network")  # page and server have the same file of it
def test_searches_in_slices_have_the_native_results() -> None:
    """To the last bit of every score, though each search runs a few nodes at a time."""
    searches = [search_and_result(text, [], 500, 0, 5) for text in SIGNATURE_POSITIONS]
    searches += [search_and_result(text, [], 1200, 3, 1) for text in SIGNATURE_POSITIONS[::4]]
    searches += [search_and_result(text, [], nodes, seed, 1) for text, nodes, seed in UNVISITED]
    start, moves = next((start, moves) for start, moves in games() if len(moves) == 40)
    searches.append(search_and_result(start, moves, 300, 1, 2))
    for (question, (nodes, depth, variations)), answer in zip(
        searches, ask([question for question, _ in searches]), strict=True
    ):
        scaled = [{**variation, "score": variation["score"] / 2**60} for variation in answer["variations"]]
        assert (answer["nodes"], answer["depth"], scaled) == (nodes, depth, variations), question


def without_times(answer: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in answer.items() if key != "microseconds"}


def test_searches_need_a_valid_network(tmp_path: Path) -> None:
    """Without one only searches are refused; a damaged one leaves the network set before."""
    own = OWN_NETWORK_PATH.read_bytes()
    faults = {
        "empty": b"",
        "another thing": b"GIF89a" + own[6:],
        "another version": own[:8] + b"\xff" + own[9:],
        "cut short": own[: len(own) // 2],
        "too long": own + b"\0",
        "a bit of it turned over": own[:5000] + bytes([own[5000] ^ 1]) + own[5001:],
    }
    errors = []
    for name, content in faults.items():
        path = tmp_path / name
        path.write_bytes(content)
        with pytest.raises(PunctError) as native:
            load_network(path)
        reason = str(native.value).partition(" cannot be played by: ")[2]
        errors.append({"error": {"code": "no-network", "message": f"The network cannot be used: {reason}."}})
    damaged = [network(tmp_path / name) for name in faults]
    search: Question = ("punct_search", ["standard w"], [40, 0, 3, 1, 0])
    play: Question = ("punct_play", ["standard w"], [3, 1])
    none = {"error": {"code": "no-network", "message": "There is no network to play by."}}
    view: Question = ("punct_view", ["standard w"], [])
    prove: Question = ("punct_prove", ["standard w"], [0, 1, 10])
    first = ask_without_network([search, play, view, prove, *damaged, search, network(), search, *damaged, search])
    assert first[:2] == [none, none] and first[2]["text"] == "standard w" and not first[3]["won"]
    assert first[4:] == [*errors, none, True, first[-1] | first[6 + len(errors)], *errors, first[-1]]
    assert without_times(first[-1]) == without_times(first[6 + len(errors)]) == without_times(ask([search])[0])


@pytest.mark.usefixtures("shipped_network")  # page and server have the same file of it
@pytest.mark.parametrize("level", range(1, 8))
def test_a_level_plays_the_same_move_in_the_page_and_on_the_server(level: int) -> None:
    cut = [(start, moves) for start, moves in games()[level * 5 :: 61] if 0 < len(moves) < 60]
    cut = [(start, moves) for start, moves in cut if not reached(start, moves).outcome()][: 20 - 2 * level]
    assert len(cut) > 4
    cut += [(text, []) for weak, _, text in TEMPTING if weak == level]
    answers = ask([("punct_play", [start, *moves], [level, seed]) for seed, (start, moves) in enumerate(cut)])
    for seed, ((start, moves), answer) in enumerate(zip(cut, answers, strict=True)):
        task = Task(Position(str(reached(start, moves))), start, moves)
        engine = Engine(level, seed=seed, hash_mb=16)
        # By its nodes alone: its second passes on a busy machine, too.
        engine.level = replace(engine.level, limits=Limits(nodes=engine.level.limits.nodes))
        result = engine.play(task)
        assert (answer["move"], answer["nodes"]) == (str(result.move), result.nodes), (start, moves)


def test_proofs_in_slices_are_the_native_ones() -> None:
    tactics = [orjson.loads(line) for line in TACTICS.read_bytes().splitlines()]
    attacks = [tactic for tactic in tactics if tactic["turns"] in (1, 2)][::2] + [
        tactic for tactic in tactics if tactic["turns"] == 3
    ][:2]
    assert len(attacks) > 15
    defended = [
        (tactic["position"], tactic["best"][0], tactic["turns"] - 1) for tactic in attacks if tactic["turns"] > 1
    ]
    answers = ask(
        [("punct_prove", [tactic["position"]], [0, tactic["turns"], UNLIMITED_TRIES]) for tactic in attacks]
        + [("punct_prove", [position, move], [1, left, UNLIMITED_TRIES]) for position, move, left in defended]
        + [("punct_prove", [attacks[-1]["position"]], [0, 3, 200])]
    )
    for tactic, answer in zip(attacks, answers, strict=False):
        line = [str(move) for move in Prover().line(tactic["position"], tactic["turns"])]
        assert answer == {"decided": True, "won": True, "turns": 0, "line": line}
    for (position, move, left), answer in zip(defended, answers[len(attacks) :], strict=False):
        board = Position(position)
        board.push(move)
        native = Prover().answer(board, left)
        assert (answer["won"], answer["turns"], answer["line"][0]) == (True, native.turns, str(native.reply))
        assert native.lost and len(answer["line"]) == 2 * native.turns
    assert answers[-1] == {"decided": False, "won": False, "turns": 0, "line": []}
