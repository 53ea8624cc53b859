"""Games at one screen or two, against the computer with its coach or between two people, played by the monkey."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any

from playwright.sync_api import expect

import punct

from ..messages import LANGUAGES
from ..serving import Server
from ..table import Table
from .gate import Passed
from .scene import Act, Scene
from .sight import Sight
from .tab import Tab, where
from .truth import board_faults, button_faults, last_faults, replayed

LATEST = -1
"""The wish to see the game itself, whatever its last move is."""
POLL = 0.01


class GameScene(Scene):
    """A game that the server keeps, open in one tab or several."""

    def __init__(
        self,
        server: Server,
        tabs: list[Tab],
        rng: Random,
        *moves: str,
        coach: bool = False,
        hints: bool = True,
        **wanted: object,
    ) -> None:
        super().__init__(tabs, rng)
        self.server = server
        self.coach = coach
        self.hints = hints
        """A hint takes a second each."""
        self.id = server.begin(*moves, **wanted)
        self.game = self._idle()
        self.meant: set[tuple[int, str]] = set()
        """Moves that somebody meant to play: at which ply, and where the piece lay when it was confirmed."""
        self.owed: tuple[int, str] | None = None
        """A move that nothing stands in the way of."""
        self.wishes: dict[str, int | None] = {tab.name: LATEST for tab in tabs}
        """Which ply was last asked to be looked at in each tab; None if that depends on what had come by then."""
        self._mean_all()

    def open(self, tab: Tab) -> None:
        table = Table(tab.page, self.server)
        table.id = self.id
        tab.page.goto(f"{self.server.address}/game/{self.id}")
        table.ready()
        if self.coach:
            expect(tab.page.get_by_test_id("coach")).to_be_visible()

    # ---------------------------------------------------------------- what a monkey does

    def acts(self, tab: Tab, seen: Sight) -> Iterator[Act]:
        if seen.resigning:
            yield 8, "do not resign", partial(tab.button, "keep-playing")
        if seen.asked:
            for name, weight in (("why", 12), ("play", 5), ("back", 3), ("next", 4), ("previous", 2)):
                yield weight, f"coach-{name}", partial(tab.button, f"coach-{name}")
            yield 3, "Escape", lambda: tab.key("Escape")
        yield 2, "a move from elsewhere", lambda: self.elsewhere(tab)
        yield 1, "take back elsewhere", lambda: self.take_back_elsewhere(tab)
        yield from self.settings(tab, seen)
        if seen.typing:
            return
        if self.may_move(seen) and not seen.ghost:
            yield 14, "lay", lambda: self.lay(tab, seen)
        if seen.ghost:
            yield 22, "Enter", lambda: self.confirm(tab, seen, lambda: tab.key("Enter"), sure=seen.confirms)
            yield 10, "confirm", lambda: self.confirm(tab, seen, lambda: tab.button("confirm"))
            yield 2, "r", lambda: tab.key("r")
            yield 1, "Escape", lambda: tab.key("Escape")
        yield 1, "tap a space", lambda: self.tap(tab)
        yield 1, "take a piece", lambda: tab.key(str(self.rng.randint(1, 6)))
        yield 4, "Home", lambda: self.look_at(tab, 0, lambda: tab.key("Home"))
        yield 6, "End", lambda: self.look_at(tab, LATEST, lambda: tab.key("End"))
        yield 3, ",", lambda: self.look_at(tab, self.beside(tab, seen, -1), lambda: tab.key(","))
        yield 2, ".", lambda: self.look_at(tab, self.beside(tab, seen, +1), lambda: tab.key("."))
        yield 1, "ArrowLeft", lambda: self.look_at(tab, None, lambda: tab.key("ArrowLeft"))
        if seen.moves:
            yield 2, "a move in the list", lambda: self.look_in_list(tab, seen)
            yield 1, "step-last", lambda: self.look_at(tab, LATEST, lambda: tab.button("step-last"), "step-last", seen)
        if not seen.on_the_game:
            yield 4, "to-game", lambda: self.look_at(tab, LATEST, lambda: tab.button("to-game"))
        yield 3, "z", lambda: self.change(tab, "z")
        yield 2, "Z", lambda: self.change(tab, "Z")
        if self.hints and self.may_move(seen):
            yield 5, "h", lambda: self.hint(tab, seen)
        yield 1, "q", lambda: tab.key("q")
        yield 1, "type a move", lambda: self.type(tab, seen)
        yield 1, "reload", lambda: self.reload(tab)

    def settings(self, tab: Tab, seen: Sight) -> Iterator[Act]:
        yield 1, "turn the board around", lambda: tab.button("flip")
        yield 1, "moves in words", lambda: tab.button("turns-in-words")
        if not tab.touched:
            language = self.rng.choice(LANGUAGES)
            yield 1, f"speak {language}", lambda: self.speak(tab, language)

    def may_move(self, seen: Sight) -> bool:
        """Whether it is a person's turn, as far as the page knows."""
        seats = self.game["seats"]
        return seen.on_the_game and len(seen.to_move) == 1 and seats[seen.to_move[0]]["type"] == "person"

    def lay(self, tab: Tab, seen: Sight) -> None:
        position = replayed(self.game["start"], tuple(seen.moves))
        if position.outcome() is None:
            move = self.choose(position)
            tab.steps[-1] += f" {move.text}"
            tab.lay(move, seen.to_move[0])

    def confirm(self, tab: Tab, seen: Sight, act: Any, *, sure: bool = True) -> None:
        """Confirm what lies there: it is meant for the ply that is looked at, if that is the game itself."""
        if seen.ghost and seen.on_the_game:
            self.meant.add((seen.current, seen.ghost))
            if sure and not self.coach and self._asked()["ply"] == seen.current:
                self.owed = (seen.current, seen.ghost)
        tab.steps[-1] += f" {seen.ghost}"
        if seen.pressing:  # that may be a move in the list
            self.wishes[tab.name] = None
        act()

    def tap(self, tab: Tab) -> None:
        space = str(self.rng.choice(punct.SPACES))
        tab.steps[-1] += f" {space}"
        tab.space(space)

    def look_at(self, tab: Tab, ply: int | None, act: Any, *needs: Any) -> None:
        if not needs or needs[1].buttons.get(needs[0]):
            self.wishes[tab.name] = ply
        act()

    def beside(self, tab: Tab, seen: Sight, by: int) -> int | None:
        """Return the ply before or after the one looked at; unknown while another one is on its way."""
        if any(one.is_look or one.news for one in tab.gate.waiting()):
            return None
        ply = max(0, min(len(seen.moves), seen.current + by))
        return LATEST if ply == len(seen.moves) else ply

    def look_in_list(self, tab: Tab, seen: Sight) -> None:
        ply = self.rng.randint(1, len(seen.moves))
        tab.steps[-1] += f" {ply}"
        if tab.press(f'[data-testid="moves"] [data-ply="{ply}"]'):
            # By then it may no longer be the last one.
            self.wishes[tab.name] = None if ply == len(seen.moves) else ply

    def change(self, tab: Tab, key: str) -> None:
        self.owed = None
        tab.key(key)

    def hint(self, tab: Tab, seen: Sight) -> None:
        tab.laid_at_hint = seen.ghost
        tab.key("h")

    def type(self, tab: Tab, seen: Sight) -> None:
        if not self.may_move(seen):
            return
        position = replayed(self.game["start"], tuple(seen.moves))
        if position.outcome() is not None or not tab.button("typed"):
            return
        move = self.choose(position)
        tab.steps[-1] += f" {move.text}"
        self.meant.add((seen.current, where(move.text)))
        tab.page.keyboard.type(move.text)
        tab.key("Enter")
        tab.page.evaluate("document.activeElement.blur()")

    def elsewhere(self, tab: Tab) -> None:
        game = self._idle()
        if game["outcome"]:
            return
        self.owed = None
        move = self.choose(replayed(game["start"], tuple(turn["text"] for turn in game["turns"])))
        tab.steps[-1] += f" {move.text}"
        self.meant.add((game["ply"], where(move.text)))
        self.server.play(self.id, move.text)

    def take_back_elsewhere(self, tab: Tab) -> None:
        self.owed = None
        if self._idle()["may_undo"]:
            self.server.ask(f"/games/{self.id}/undo", {})

    def speak(self, tab: Tab, language: str) -> None:
        tab.page.get_by_test_id("language").select_option(language)
        tab.page.evaluate("document.activeElement.blur()")

    def reload(self, tab: Tab) -> None:
        self.owed = None
        tab.page.reload()
        self.open(tab)
        tab.gate.shut()
        self.wishes[tab.name] = LATEST

    # ---------------------------------------------------------------- the truth

    def settle(self, tab: Tab) -> list[Passed]:
        passed: list[Passed] = []
        while True:
            game = self._idle()
            if self.coach and game["outcome"]:  # it would look back at the whole game, for minutes
                tab.note("take back what ended the game, elsewhere")
                self.server.ask(f"/games/{self.id}/undo", {})
                continue
            tab.gate.hear(game["revision"])
            some = tab.gate.let_all()
            passed += some
            if not some and self._idle()["revision"] == game["revision"]:
                return passed

    def faults(self, tab: Tab, seen: Sight) -> Iterator[str]:
        game = self._idle()
        moves = [turn["text"] for turn in game["turns"]]
        if seen.moves != moves:
            yield f"the list of moves: {' '.join(seen.moves)}, played were {' '.join(moves)}"
            return
        yield from self._unmeant(game)
        wish, before = self.wishes[tab.name], self.game
        changed = game["revision"] != before["revision"]
        if wish == LATEST and not seen.on_the_game:
            yield f"looked at: {seen.current}, asked for was the latest, {len(moves)}"
        elif wish is not None and wish != LATEST and seen.current != wish and not (changed and seen.on_the_game):
            yield f"looked at: {seen.current}, asked for was {wish} of {len(moves)}"
        position = replayed(game["start"], tuple(moves[: seen.current]))
        over = seen.on_the_game and game["outcome"] is not None
        yield from board_faults(seen, position)
        if not over:
            yield from last_faults(seen, position)
        wanted = [] if over or position.outcome() else ["wb"[position.turn]]
        if seen.to_move != wanted:
            yield f"to move: {seen.to_move}, it is {wanted}"
        if seen.ghost and not seen.on_the_game:
            yield f"a piece lies on {seen.ghost} to be confirmed, and ply {seen.current} of {len(moves)} is looked at"
        if not seen.resigning:
            yield from button_faults(seen, self._buttons(seen, game))

    def checked(self) -> None:
        for tab in self.tabs:
            seen = tab.look()
            self.wishes[tab.name] = LATEST if seen.on_the_game else seen.current
        self.game = self._idle()
        self.owed = None

    def _buttons(self, seen: Sight, game: dict[str, Any]) -> Iterator[tuple[str, bool]]:
        here = seen.on_the_game
        person = not game["outcome"] and game["seats"][game["turn"]]["type"] == "person"
        yield "undo", game["may_undo"] and here
        yield "redo", game["may_redo"] and here
        yield "hint", here and person
        yield "resign", game["may_resign"]
        yield "step-first", seen.current > 0
        yield "step-next", not here

    def _unmeant(self, game: dict[str, Any]) -> Iterator[str]:
        """Find moves that nobody meant, and one that was meant and not played."""
        for ply, turn in enumerate(game["turns"]):
            person = game["seats"][turn["colour"]]["type"] == "person"
            if person and (ply, where(turn["text"])) not in self.meant:
                yield f"played was {turn['text']} as move {ply + 1}, and nobody meant that"
        if self.owed:
            ply, place = self.owed
            if len(game["turns"]) <= ply or where(game["turns"][ply]["text"]) != place:
                yield f"confirmed was {place} as move {ply + 1}, and it was not played"

    def _mean_all(self) -> None:
        for ply, turn in enumerate(self.game["turns"]):
            self.meant.add((ply, where(turn["text"])))

    def _asked(self) -> dict[str, Any]:
        return self.server.game(self.id)

    def _idle(self) -> dict[str, Any]:
        """Return the game as it is kept, once no computer thinks."""
        while True:
            game = self.server.game(self.id)
            engine = game["seats"][game["turn"]]["type"] == "engine"
            if game["outcome"] or not engine or game["thinking"]["state"] == "failed":
                return game
            time.sleep(POLL)
