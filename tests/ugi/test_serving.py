"""UGI, spoken to line by line."""

from __future__ import annotations

import io
import queue
import random
import subprocess
import sys
import threading
from collections.abc import Callable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.ugi.test_go import WORDS

from punct import Position
from punct.engine.core import Engine
from punct.engine.fallback import fallback_move
from punct.engine.limits import Limits
from punct.game import Game
from punct.move import Move
from punct.ugi import Conversation, serve
from punct.ugi.engine import EngineThinker, Settings
from punct.ugi.go import Go

OVER = "basic b wEh1n wEh4n wEh7n wEh10n wCi14n wTj16n"


class Talk:
    """A conversation whose answers can be waited for."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self._new: queue.Queue[str] = queue.Queue()
        self.engine = EngineThinker()
        self.ugi = Conversation(self.engine, self._hear)

    def _hear(self, line: str) -> None:
        self.said.append(line)
        self._new.put(line)

    def say(self, *lines: str) -> None:
        for line in lines:
            self.ugi.handle(line)

    def wait_for(self, word: str) -> str:
        """Return the next line that begins with a word; fail if none comes."""
        while True:
            line = self._new.get()
            if line.split()[:1] == [word]:
                return line

    def ask(self, line: str) -> str:
        """Say something that is answered at once, and return the answer."""
        count = len(self.said)
        self.say(line)
        (answer,) = self.said[count:]
        return answer


@pytest.fixture
def talk() -> Talk:
    return Talk()


def test_the_greeting(talk: Talk) -> None:
    talk.say("ugi")
    assert talk.said[0].startswith("id name punct ")
    assert talk.said[1].startswith("id author ")
    assert talk.said[-1] == "ugiok"
    options = {line.split()[2]: line for line in talk.said if line.startswith("option ")}
    assert set(options) == {"Threads", "Level", "Seed", "Hash", "Network", "Ponder", "Rules", "Weights"}
    assert options["Level"] == "option name Level type spin default 8 min 1 max 8"
    assert options["Rules"] == "option name Rules type combo default standard var standard var basic"
    assert talk.ask("isready") == "readyok"


def test_it_thinks_ahead_when_told_to(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    """About the position after its move, until the next command that matters; never in a search by nodes."""
    begun: queue.Queue[str] = queue.Queue()
    ended = threading.Event()

    def ponder(engine: Engine, game: Game, *, cancel: threading.Event) -> None:
        begun.put(str(game.moves[-1]))
        assert cancel.wait(60)
        ended.set()

    monkeypatch.setattr(Engine, "ponder", ponder)
    talk.say("position startpos moves Ed5ne", "go movetime 30")
    talk.wait_for("bestmove")
    talk.say("setoption name Ponder value true", "position startpos moves Ed5ne", "go nodes 20")
    talk.wait_for("bestmove")
    talk.say("go movetime 30")
    played = talk.wait_for("bestmove").split()[1]
    assert begun.get() == played
    assert talk.ask("isready") == "readyok"
    assert talk.ask("query gameover") == "response false"
    assert not ended.is_set()
    talk.say(f"position startpos moves Ed5ne {played} Tb9n")
    assert ended.is_set()
    assert begun.empty()


def test_a_real_thought_ahead_ends_when_the_game_goes_on(talk: Talk) -> None:
    game = Game()
    talk.say("setoption name Ponder value true")
    for reply in ("Tl5s", "Tb9n", "Tp12s"):
        talk.say(f"position startpos moves {' '.join(map(str, game.moves))}", "go movetime 60")
        game.push(talk.wait_for("bestmove").split()[1])
        legal = set(map(str, game.position.legal_moves))
        game.push(reply if reply in legal else min(legal))
    talk.say("quit")
    assert not any(line.startswith("info string") for line in talk.said)


def test_a_turn_with_information(talk: Talk) -> None:
    talk.say("position startpos moves Ed5ne Tl5s", "go nodes 300")
    best = talk.wait_for("bestmove").split()[1]
    info = talk.said[-2].split()
    assert info[0] == "info"
    for word in ("depth", "score", "nodes", "nps", "time", "pv"):
        assert word in info
    assert info[info.index("score") + 1] in ("cp", "mate")
    assert info[info.index("nodes") + 1] == "300"
    assert info[info.index("pv") + 1] == best
    position = Position("standard w wEd5ne bTl5s")
    position.push(best)


def test_fen_positions_and_queries(talk: Talk) -> None:
    assert talk.ask("query gameover") == "response false"
    assert talk.ask("query p1turn") == "response true"
    assert talk.ask("query result") == "response none"
    talk.say("position fen standard b wTb9ne wTf5s bTl5n wCl13se")
    assert talk.ask("query p1turn") == "response false"
    talk.say("position fen standard b wTb9ne moves Td3n")
    assert talk.ask("query p1turn") == "response true"
    talk.say(f"position fen {OVER}")
    assert talk.ask("query gameover") == "response true"
    assert talk.ask("query result") == "response p1win"
    talk.say("position fen basic w bEh1n bEh4n bEh7n bEh10n bCi14n bTj16n")
    assert talk.ask("query result") == "response p2win"


def test_repetition_is_a_draw(talk: Talk) -> None:
    back_and_forth = "d5-d5s l5-l5n d5-d5ne l5-l5s " * 2
    talk.say(f"position startpos moves Ed5ne Tl5s {back_and_forth}")
    assert talk.ask("query gameover") == "response true"
    assert talk.ask("query result") == "response draw"


def test_a_game_that_is_over_has_no_best_move(talk: Talk) -> None:
    talk.say(f"position fen {OVER}", "go nodes 10")
    assert talk.said[-2].startswith("info string the game is over")
    assert talk.said[-1] == "bestmove none"


def test_what_is_wrong_is_said_and_changes_nothing(talk: Talk) -> None:
    talk.say("position startpos moves Ed5ne")
    for wrong in (
        "position startpos moves Ed5ne Ed5ne",
        "position startpos moves Zz",
        "position fen",
        "position fen standard q",
        "position fen standard w wTz9n",
        "position nowhere",
        "position",
        "setoption name Level value 0",
        "setoption name Level value nine",
        "setoption name Threads value -3",
        "setoption name Rules value chess",
        "setoption name Colour value blue",
        "setoption name Hash",
        "setoption",
    ):
        assert talk.ask(wrong).startswith("info string "), wrong
    assert str(talk.ugi.game.position) == "standard b wEd5ne"
    assert talk.engine.settings == Settings()


def test_a_game_sent_turn_by_turn_is_the_same_as_sent_at_once(talk: Talk) -> None:
    turns = ["Ed5ne", "Tl5s", "Eg3n", "Tm9n", "d5-d5s"]
    for count in range(len(turns) + 1):
        talk.say(f"position startpos moves {' '.join(turns[:count])}")
    fresh = Talk()
    fresh.say(f"position startpos moves {' '.join(turns)}")
    assert talk.ugi.game == fresh.ugi.game
    talk.say("position startpos moves Ed5ne Tl5s Eg3n Tm9n d5-d5s Ed5ne")  # not legal: nothing changes
    assert talk.ugi.game == fresh.ugi.game
    talk.say("position startpos moves Ed5ne")  # back to an earlier turn
    assert str(talk.ugi.game.position) == "standard b wEd5ne"
    assert len(talk.ugi.game.moves) == 1


def test_options(talk: Talk) -> None:
    talk.say("setoption name Level value 2", "setoption name seed value 7", "setoption name Hash value 4")
    talk.say("setoption name Rules value basic", "setoption name Threads value 2")
    assert talk.engine.settings == Settings(threads=2, level=2, seed=7, hash=4)
    assert str(talk.ugi.game.position) == "basic w"
    talk.say("position startpos moves Ti9n")
    assert talk.said[-1].startswith("info string")  # not White's first piece
    talk.say("position startpos moves Ed5ne Ti9n", "go nodes 20")
    assert talk.wait_for("bestmove")


def test_stop_is_answered(talk: Talk) -> None:
    talk.say("go infinite", "isready")
    assert talk.wait_for("readyok") == "readyok"
    assert not any(line.startswith("bestmove") for line in talk.said)
    talk.say("stop")
    assert talk.said[-1].startswith("bestmove ")
    talk.say("stop")
    assert sum(line.startswith("bestmove") for line in talk.said) == 1


def test_infinite_waits_for_stop_even_when_all_is_clear(talk: Talk) -> None:
    talk.say("position fen basic w wEh1n wEh4n wEh7n wEh10n wCi14n bTa2n bTa5n bTc3n bTd5n bTm9n", "go infinite")
    assert "score mate 1" in talk.wait_for("info")
    assert not any(line.startswith("bestmove") for line in talk.said)
    talk.say("stop")
    assert talk.said[-1].startswith("bestmove ")


def test_a_second_go_ends_the_first(talk: Talk) -> None:
    talk.say("go infinite", "go nodes 5")
    talk.ugi.finish()
    assert sum(line.startswith("bestmove") for line in talk.said) == 2


def test_clocks_limit_the_search(talk: Talk) -> None:
    talk.say("go p1time 300 p2time 100000 p1inc 0 p2inc 0")
    talk.ugi.finish()  # returns: a share of 300 ms, not of 100 s
    assert talk.said[-1].startswith("bestmove ")
    talk.say("go p1time 0 p2time 0", "go movetime 1", "go movetime -5", "go depth 1", "go wtime x nodes 3")
    talk.ugi.finish()
    assert sum(line.startswith("bestmove") for line in talk.said) == 6


def test_levels_answer_without_limits(talk: Talk) -> None:
    talk.say("setoption name Level value 1", "go")
    talk.ugi.finish()
    assert talk.said[-1].startswith("bestmove ")


def test_new_game_forgets_the_old(talk: Talk) -> None:
    talk.say("position startpos moves Ed5ne", "go infinite", "uginewgame")
    assert str(talk.ugi.game.position) == "standard w"
    assert sum(line.startswith("bestmove") for line in talk.said) == 1


def test_a_position_sent_while_thinking_does_not_disturb_the_thought(talk: Talk) -> None:
    talk.say("position startpos moves Ed5ne", "go infinite", "position startpos moves Ed5ne Tl5s")
    talk.say("stop")
    best = talk.wait_for("bestmove").split()[1]
    Position("standard b wEd5ne").push(best)
    assert str(talk.ugi.game.position) == "standard w wEd5ne bTl5s"


def test_an_unknown_query_is_answered(talk: Talk) -> None:
    for query in ("query weather", "query"):
        talk.say(query)
        assert talk.said[-2].startswith("info string query knows gameover")
        assert talk.said[-1] == "response unknown"


# ---------------------------------------------------------------------- any player


def last_move(game: Game, limits: Limits) -> Move:
    """The last legal move: not the one that is answered when all else fails."""
    return list(game.position.legal_moves)[-1]


def serve_lines(choose: Callable[[Game, Limits], Move | str], *lines: str) -> list[str]:
    heard = io.BytesIO()
    source = io.BytesIO("".join(f"{line}\n" for line in lines).encode())
    serve(choose, name="mine", author="me", source=source, sink=heard)
    return heard.getvalue().decode().splitlines()


def test_any_function_is_an_engine() -> None:
    lines = serve_lines(last_move, "ugi", "isready", "setoption name Rules value basic", "position startpos", "go")
    assert lines[:2] == ["id name mine", "id author me"]
    assert [line for line in lines if line.startswith("option")] == [
        "option name Rules type combo default standard var standard var basic"
    ]
    expected = list(Position("basic w").legal_moves)[-1]
    assert lines[-2:] == ["readyok", f"bestmove {expected}"]
    assert serve_lines(lambda game, limits: "Ed5ne", "go")[-1] == "bestmove Ed5ne"


def test_a_function_is_told_its_limits() -> None:
    told: list[Limits] = []

    def choose(game: Game, limits: Limits) -> str:
        told.append(limits)
        return "Ed5ne"

    serve_lines(choose, "go nodes 5", "go depth 3", "go movetime 1000", "go p1time 22000 p2time 1")
    assert [(limits.nodes, limits.depth) for limits in told] == [(5, None), (None, 3), (None, None), (None, None)]
    assert told[2].movetime is not None and told[2].movetime <= 0.9885
    assert told[3].movetime is not None and told[3].movetime <= 2.5
    assert told[3].target is not None and told[3].target <= 1.0


@pytest.mark.parametrize("answer", ["Zz", "Ti9n", "", "d5-d6n"])
def test_a_function_that_fails_still_answers(answer: str) -> None:
    lines = serve_lines(lambda game, limits: answer, "go")
    assert lines[0].startswith("info string the search failed")
    assert lines[-1] == f"bestmove {fallback_move(Position())}"


@pytest.mark.parametrize(
    "end", [b"\nisready\n", b" isready\nisready\n", b" go nodes 1\n\nisready", b"x" * (1 << 21) + b"\nisready"]
)
def test_of_too_long_a_line_nothing_is_read(end: bytes) -> None:
    """Not even its rest, which could be a command."""
    longest = 1 << 20
    heard = io.BytesIO()
    serve(EngineThinker(), source=io.BytesIO(b"x " * (longest // 2) + end), sink=heard)
    assert heard.getvalue().splitlines() == [
        f"info string a line of more than {longest} bytes was ignored".encode(),
        b"readyok",
    ]


def test_of_too_long_a_line_at_the_end_nothing_is_read() -> None:
    heard = io.BytesIO()
    serve(EngineThinker(), source=io.BytesIO(b"isready\n" + b" " * (1 << 20) + b"isready"), sink=heard)
    assert [line.split()[0] for line in heard.getvalue().splitlines()] == [b"readyok", b"info"]


def test_a_line_may_be_just_so_long() -> None:
    heard = io.BytesIO()
    serve(EngineThinker(), source=io.BytesIO(b"isready".rjust((1 << 20) - 1) + b"\n"), sink=heard)
    assert heard.getvalue() == b"readyok\n"


def test_a_thinker_that_cannot_get_ready_still_answers() -> None:
    class Unready(EngineThinker):
        def get_ready(self, tell: Callable[[str], None]) -> None:
            raise RuntimeError("no\nluck")

    said: list[str] = []
    Conversation(Unready(), said.append).handle("isready")
    assert said == ["info string not ready to think: RuntimeError('no\\nluck')", "readyok"]


def test_an_answer_comes_without_a_thread(monkeypatch: pytest.MonkeyPatch, talk: Talk) -> None:
    def refuse(self: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    talk.say("go nodes 10", "go infinite")
    assert sum(line.startswith("bestmove ") for line in talk.said) == 2


def test_unknown_words_are_passed_over(talk: Talk) -> None:
    talk.say("", "   ", "hello", "xyzzy isready")
    assert talk.said == ["readyok"]
    assert talk.ugi.handle("please quit") is False


# ---------------------------------------------------------------------- garbage

_WORDS = [
    "ugi",
    "isready",
    "position",
    "startpos",
    "fen",
    "moves",
    "go",
    "stop",
    "query",
    "setoption",
    "name",
    "value",
    "Level",
    "Threads",
    "Hash",
    "Rules",
    "Seed",
    "nodes",
    "depth",
    "movetime",
    "p1time",
    "p2time",
    "infinite",
    "standard",
    "basic",
    "w",
    "b",
    "Ed5ne",
    "Tl5s",
    "wTb9ne",
    "d5-h9se",
    "gameover",
    "result",
    "p1turn",
    "1",
    "2",
    "0",
    "-1",
    "99999999999999999999999",
    "1e9",
    "nan",
    "½",
    "é",
    "uginewgame",
    "bestmove",
    "\u2460",
    "\x00",
    "\udcff",
]


@settings(max_examples=60)
@given(st.lists(st.lists(st.sampled_from(_WORDS), max_size=9), max_size=8), st.integers(0, 2**32))
def test_any_order_of_words_is_survived(lines: list[list[str]], seed: int) -> None:
    talk, dice = Talk(), random.Random(seed)
    searches = 0
    for words in lines:
        line = " ".join(words)
        if line.split()[:1] == ["go"]:
            line += dice.choice((" nodes 1", " nodes 3 infinite"))
        talk.say("setoption name Hash value 1", "setoption name Threads value 1", line, "stop")
    talk.ugi.close()
    searches = sum(_is_go(words) for words in lines)
    assert sum(line.startswith("bestmove") for line in talk.said) == searches
    assert talk.ask("isready") == "readyok"
    assert all("\n" not in line for line in talk.said)


@settings(max_examples=60)
@given(WORDS)
@example("p1time 1000000000 p2time 1000000000")
@example("movetime -+5")
def test_go_is_answered_whatever_it_says(words: str) -> None:
    talk = Talk()
    talk.say("setoption name Hash value 1", f"go {words}", "stop")
    answer = talk.wait_for("bestmove").split()[1]
    talk.ugi.close()
    assert Position().explain(answer) is None
    assert sum(line.startswith("bestmove") for line in talk.said) == 1
    assert not [line for line in talk.said if line.startswith("info string")]


def test_go_that_cannot_be_read_is_answered_all_the_same(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(words: object) -> Go:
        raise OverflowError("too much")

    monkeypatch.setattr(Go, "read", fail)
    talk.say("position startpos moves Ed5ne", "go nodes 5")
    assert Position("standard b wEd5ne").explain(talk.wait_for("bestmove").split()[1]) is None
    (remark,) = (line for line in talk.said if line.startswith("info string"))
    assert "no search by 'nodes 5'" in remark and "too much" in remark
    talk.say(f"position fen {OVER}", "go nodes 5")
    assert talk.wait_for("bestmove") == "bestmove none"


def _is_go(words: list[str]) -> bool:
    """Tell whether the first command among the words is ``go``."""
    commands = ("ugi", "isready", "position", "go", "stop", "query", "setoption", "uginewgame")
    return next((word for word in words if word in commands), None) == "go"


@settings(max_examples=40)
@given(st.lists(st.binary(max_size=60), max_size=10))
def test_any_bytes_are_survived(lines: list[bytes]) -> None:
    kept = [line.replace(b"go", b"g0").replace(b"quit", b"qu1t") for line in lines]
    out = io.BytesIO()
    serve(EngineThinker(), source=io.BytesIO(b"\n".join([*kept, b"", b"isready", b"quit"]) + b"\n"), sink=out)
    assert out.getvalue().endswith(b"readyok\n")


def test_the_end_of_the_input_lets_a_search_finish() -> None:
    out = io.BytesIO()
    serve(EngineThinker(), source=io.BytesIO(b"go nodes 50"), sink=out)
    assert b"bestmove " in out.getvalue()
    out = io.BytesIO()
    serve(EngineThinker(), source=io.BytesIO(b"go infinite\n"), sink=out)
    assert b"bestmove " in out.getvalue()


def test_a_mark_before_the_text_is_no_part_of_it() -> None:
    out = io.BytesIO()
    serve(EngineThinker(), source=io.BytesIO(b"\xef\xbb\xbfisready\n"), sink=out)
    assert out.getvalue() == b"readyok\n"


def test_as_a_process() -> None:
    """With an output nobody reads to the end, and an input that stops in the middle of a word."""
    words = b"ugi\nisready\nposition startpos moves Ed5ne\ngo nodes 20\nisre"
    found = subprocess.run([sys.executable, "-m", "punct.ugi"], input=words, capture_output=True, check=True)
    lines = found.stdout.decode().splitlines()
    assert "ugiok" in lines and "readyok" in lines
    assert lines[-1].startswith("bestmove ")
    assert found.stderr == b""
