"""The compiled kernel. Use ``punct.kernel``, which checks what it is given and speaks in the library's terms."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from punct.move import Move

ACTIONS: int
ACTION_BYTES: int
PLANES: int
MOST_NODES: int
"""No search has more."""

_Piece = tuple[int, int, int, int, bool, tuple[int, int, int], tuple[int, int, int]]
"""A piece on the board: its number, orientation, space and level; whether it is a bridge; by dot, the number of the
piece right below it, and of the one right above it (36: none). White's pieces are 0–17, Black's 18–35, by kind, and
keep their numbers."""

class Track:
    """A position with the turns played in it. Turns are packed moves (see ``punct.kernel.packed``)."""

    @staticmethod
    def read(text: str) -> Track | None:
        """Read a position; None if the text is not one."""

    def text(self) -> str: ...
    def copy(self) -> Track: ...
    def equals(self, other: Track) -> bool: ...
    @property
    def hash(self) -> int: ...
    @property
    def hash_from_scratch(self) -> int: ...
    @property
    def rules(self) -> int:
        """0 basic, 1 standard."""

    @property
    def turn(self) -> int:
        """0 White, 1 Black."""

    def top(self, space: int) -> int:
        """Return the number of the piece that shows on a space, 36 if it is empty or there is no such space."""

    def piece(self, space: int) -> _Piece | None:
        """Return the piece that shows on a space; None if it is empty or there is no such space."""

    def numbers(self) -> list[int]: ...
    def moves(self, known: list[Move | None], make: Callable[[int], Move]) -> list[Move]:
        """Return the legal turns as objects: ``known`` has them by action, None where ``make`` has yet to make one."""

    def landings(self, numbered: bool = False) -> list[tuple[int, int, int]]:
        """Return (orientation, old space or 255, mask of new spaces) for all legal turns.

        The mask is in the library's layout, or has a bit for each space by its number.
        """

    def shown(self, colour: int) -> int:
        """Return the mask of the spaces that show a colour, in the library's layout."""

    def move_at(self, index: int) -> int | None:
        """Return the legal move with this number in the list of them."""

    def pieces(self) -> list[_Piece]:
        """Return every piece on the board, in the order of their numbers."""

    def count(self) -> int: ...
    def is_legal(self, number: int) -> bool: ...
    def push(self, number: int) -> bool:
        """Play a turn if it is legal, and tell whether it was."""

    def push_text(self, text: str) -> int | None:
        """Play a turn if the text is a legal one, and return its number."""

    def push_texts(self, texts: list[str]) -> tuple[list[int], list[int]]:
        """Play texts up to the first that is not a legal turn; return the moves played and the hash after each."""

    def is_legal_text(self, text: str) -> bool: ...
    def refusal(self, text: str) -> tuple[int, list[int]] | None:
        """Return why a turn is not allowed, as the number of the reason, and the spaces that are in its way.

        None if it is legal, or if the text is no turn.
        """

    def over(self) -> bool: ...
    def pop(self) -> int | None: ...
    def played(self) -> list[int]: ...
    def read_move(self, text: str) -> int | None: ...
    def verdict(self) -> tuple[int, int]:
        """Return the outcome (0 open, 1 White, 2 Black, 3 draw) and why (0 open, 1 chain, 2 last piece, 3 no turn)."""

    def centre_count(self) -> tuple[int, int]: ...
    def perft(self, depth: int, hashed: bool = False) -> int: ...

def move_text(number: int) -> str | None: ...
def action_of(number: int) -> int: ...
def push_actions(
    track: Track, text: str, at: int, first_seat: int, orientations: bytes
) -> tuple[list[int], list[int], list[tuple[int, int, int]], int]:
    """Play what Boardspace tells from a place in a text on, node by node, as far as each turn is about one piece.

    The track is of an empty board. ``first_seat`` is the colour of P0; ``orientations`` has by number and rotation of a
    piece the kernel's orientation, or 255. Return the moves, the hash after each, comments as (index of the move they
    are about, begin, end), and where it stopped.
    """

def move_of_action(track: Track, action: int) -> int: ...
def streams(seed: int, out: NDArray[np.uint64]) -> None:
    """Fill an array with streams of chance."""

MOST_DARTS: int
"""How many actions are tried before the legal ones are counted."""

def draw_actions(track: Track, seed: int, out: NDArray[np.int64], darts: int = ...) -> None:
    """Fill an array with legal actions of a position, each drawn evenly; -1 if there is none."""

class Batch:
    """Positions side by side. Arrays are filled; ValueError if one has another size than is needed."""

    def __init__(self, tracks: Sequence[Track], repetition: bool, most_plies: int) -> None: ...
    def __len__(self) -> int: ...
    def copy(self) -> Batch: ...
    def track(self, row: int) -> Track: ...
    def start(self, row: int) -> Track: ...
    def trail(self, row: int) -> tuple[list[int], int]:
        """Return the hashes since a piece was last added, and how many plies were played."""

    def set(self, row: int, track: Track) -> None: ...
    def resume(self, row: int, track: Track, seen: list[int], plies: int) -> None:
        """Go on from a position with the trail it had; it begins anew from where it began before."""

    def reset(self, rows: NDArray[np.int64]) -> None: ...
    def take(self, rows: NDArray[np.int64]) -> Batch: ...
    def legal(self, out: NDArray[np.bool_], threads: int) -> None: ...
    def legal_bits(self, out: NDArray[np.uint8], threads: int) -> None: ...
    def legal_lists(self, threads: int) -> tuple[NDArray[np.int32], NDArray[np.int64]]: ...
    def legal_lists_into(self, actions: NDArray[np.int32], starts: NDArray[np.int64], threads: int) -> int:
        """Return how many there are; if that is more than there is room for, nothing was written."""

    def step(self, actions: NDArray[np.int64], threads: int) -> int:
        """Play all actions or none; return -1, or the first row whose action is not legal."""

    def advance(
        self,
        actions: NDArray[np.int64],
        rewards: NDArray[np.float32],
        terminated: NDArray[np.bool_],
        truncated: NDArray[np.bool_],
        results: NDArray[np.int8],
        anew: int,
        threads: int,
    ) -> int:
        """Do so and tell what came of it. Begin anew when told (0), in place of the next step (1), at once (2)."""

    def sample(self, streams: NDArray[np.uint64], out: NDArray[np.int64], threads: int) -> None: ...
    def planes(self, out: NDArray[np.uint8], colours: NDArray[np.int8] | None, threads: int) -> None: ...
    def permutations(self, symmetry: int) -> NDArray[np.int32]: ...
    def transformed(self, symmetry: int) -> Batch: ...
    def distances(self) -> NDArray[np.int8]: ...
    def evaluate(self) -> NDArray[np.float32]: ...
    def score_moves(self, most: int) -> tuple[NDArray[np.int32], NDArray[np.float32], NDArray[np.int64]]: ...
    def results(self, out: NDArray[np.int8]) -> None: ...
    def turns(self, out: NDArray[np.int8]) -> None: ...
    def hashes(self, out: NDArray[np.uint64]) -> None: ...
    def repetitions(self, out: NDArray[np.int32]) -> None: ...
    def plies(self, out: NDArray[np.int32]) -> None: ...

class Episode:
    """One game as learning programs play it."""

    def __init__(self, track: Track, repetition: bool, most_plies: int, stream: int) -> None: ...
    def copy(self) -> Episode: ...
    def reset(self) -> None: ...
    def step(self, action: int) -> int:
        """Return how the game stands (as ``Batch.results``), or -1, with nothing played, if that is not legal."""

    def sample(self) -> int:
        """Return a legal action, each as likely as the others; -1 when the game is over."""

    def legal_actions(self) -> NDArray[np.int32]: ...
    def legal(self, out: NDArray[np.bool_]) -> None: ...
    def legal_bits(self, out: NDArray[np.uint8]) -> None: ...
    def planes(self, colour: int, out: NDArray[np.uint8]) -> None:
        """Show the position as a player would see it were it its turn."""

    def track(self) -> Track:
        """Return the position with the turns that led there."""

    def start(self) -> Track: ...
    def played(self) -> list[int]: ...
    stream: int
    @property
    def standing(self) -> int: ...
    @property
    def turn(self) -> int: ...
    @property
    def plies(self) -> int: ...
    @property
    def hash(self) -> int: ...
    @property
    def repetitions(self) -> int: ...

def wins(track: Track, colour: int) -> list[int]: ...
def blunders(track: Track, colour: int) -> list[int]: ...
def groups(track: Track, colour: int) -> tuple[list[int], list[int], list[int]]: ...
def reach(track: Track, colour: int) -> list[int]: ...
def distance(track: Track, colour: int) -> list[int]: ...
def evaluate(track: Track) -> float: ...
def score_moves(track: Track, most: int) -> list[tuple[int, float]]: ...
def canonical(track: Track) -> tuple[Track, int]: ...
def likeness(track: Track) -> tuple[int, int]:
    """Return a 64-bit number that a position shares with its twelve images, and a symmetry to the one it is of."""

def openings(games: list[tuple[str, str]], most: int) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32]]:
    """Return the first turns of games, each a start and its turns with blanks between, as they are alike.

    Return by step the likeness of the position and the turn as it is played in that image; by game the number of its
    steps, -1 if it cannot be played. A position that comes again in a game is one step.
    """

def distances(
    track: Track, colour: int, pair: int, prices: tuple[int, int, int, int, int] | None = None
) -> tuple[list[int], list[int], int]:
    """Return the maps from both sides and the shortest way between them.

    The prices are those of an empty space, of an empty one in the closed centre, of an opponent's dot, what it costs
    more for each level above the board, and the dearest of all.
    """

def transformed(track: Track, symmetry: int) -> Track: ...
def transformed_move(number: int, symmetry: int) -> int: ...
def is_bridge(track: Track, number: int) -> bool: ...
def play_random(track: Track, seed: int, turns: int, raised: int = 0, bridge: int = 0, moved: int = 0) -> list[int]: ...
def random_games(
    track: Track, games: int, seed: int, most: int = 10000, raised: int = 0, bridge: int = 0, moved: int = 0
) -> tuple[list[int], int]:
    """Return how many games ended open, won by White, won by Black, drawn; and the turns played."""

def measure(what: str, tracks: Sequence[Track], seconds: float) -> tuple[int, float, int]:
    """Do one kind of work for about so long: return the units done, the seconds taken and a checksum."""

MOST_TURNS: int
"""Nothing is proved about more."""

def wins_at_once(track: Track) -> list[int]:
    """Return the turns with which the side to move wins at once."""

def holding_turns(track: Track, most: int = ...) -> list[int]:
    """Return the turns that neither lose nor let the opponent win with the next one, at most so many."""

def approaches(track: Track) -> list[int] | None:
    """Return the turns after which one more might make a chain; None if one piece might do already: for tests."""

def wins_by_count(track: Track, colour: int) -> bool:
    """Tell whether a player would win by adding the last piece."""

class Prover:
    """Proofs by trying every reply. Those of one prover share what they learn, and take turns.

    Each takes a budget of turns to try; None is returned where it does not suffice. After every slice of so many it
    looks whether somebody wants it to end.
    """

    def __init__(self, memory_bits: int = 18) -> None: ...
    def wins(
        self, track: Track, turns: int, most: int = ..., budget: int = ..., slice: int = ...
    ) -> list[tuple[int, int]] | None:
        """Return the turns that win within so many, the soonest first, each with the number it takes."""

    def answer(
        self, track: Track, turns: int, budget: int = ..., slice: int = ...
    ) -> tuple[bool, int | None, int] | None:
        """Return whether the side to move loses within so many turns of the other, its best reply, and what is left."""

    def line(self, track: Track, turns: int, budget: int = ..., slice: int = ...) -> list[int] | None:
        """Return a win played out, empty if there is none."""

class ThreadError(RuntimeError):
    """Not all threads that were asked for could be started."""

class Searcher:
    """The search with its memory. One search at a time; ``stop`` may come from any thread."""

    def __init__(self, hash_mb: int = 256) -> None: ...
    def search(
        self,
        position: str,
        moves: Sequence[str] = (),
        *,
        nodes: int = 0,
        seconds: float = 0.0,
        target: float = 0.0,
        variations: int = 1,
        seed: int = 0,
        threads: int = 1,
        on_info: Callable[[dict[str, Any]], None] | None = None,
        info_every: float = 0.1,
    ) -> dict[str, Any]:
        """Think about the position after these moves until a limit is reached; one must be given.

        The moves count for repetition. See ``punct.engine.variations.Found`` for the result. MemoryError if there is
        not enough memory, ThreadError if not all threads could be started.
        """

    def reserve(self) -> float:
        """Take the memory now, as much of it as can be had by halving; return the megabytes. MemoryError if none."""

    @property
    def megabytes(self) -> float:
        """The most a tree may take."""

    def stop(self) -> None: ...
    def set_weights(self, evaluation: Sequence[float], prior: Sequence[float]) -> None:
        """Search with these weights from now on; ValueError if they are too few, too many or not finite."""

    def set_network(self, network: Network | None) -> None:
        """Search with this network from now on, instead of the weights; None: with the weights."""

NETWORK_INPUTS: int
NETWORK_SPOTS: int
NETWORK_SPOT_UNITS: int
NETWORK_HIDDEN: int
NETWORK_SECOND: int
NETWORK_HAND: int
NETWORK_MOVE_FEATURES: int
NETWORK_ONE: int
NETWORK_WEIGHT_ONE: int
NETWORK_SECOND_ONE: int

class Network:
    """What a position is worth and which moves deserve a look, learned: see ``kernel/search/network.hpp``."""

    def __init__(self, content: bytes) -> None:
        """Read a file's content; ValueError, which says why, for what is no network."""

    def ask(self, position: str) -> tuple[float, list[float], list[float]]:
        """Return the logarithm of the odds, the weights of a move's features, and three maps of the spaces."""

def network_checksum(content: bytes) -> int:
    """Return what a network's file ends with, after this content."""

def network_lesson(
    positions: Sequence[str], moves: Sequence[Sequence[str]], visits: Sequence[Sequence[int]], others: int
) -> dict[str, NDArray[Any]]:
    """Return what a network is trained on: arrays by name, as ``punct.learn.lesson`` takes them."""

def network_images() -> dict[str, NDArray[Any]]:
    """Return what each input and each space becomes by each of the twelve symmetries."""

def features(position: str) -> list[float]:
    """Return the features of a position, as the evaluation weighs them."""

def default_evaluation_weights() -> list[float]: ...
def move_features(position: str, moves: Sequence[str]) -> list[list[float]]:
    """Return the features of legal moves, as the choice of candidates weighs them."""

def default_prior_weights() -> list[float]: ...
def candidates(position: str, most: int, network: Network | None = None) -> list[tuple[str, float]]:
    """Return the moves most worth a look, best first, each with its prior: by the weights, or by a network."""

def forced_win(position: str, tries: int) -> tuple[str | None, int, bool]:
    """Return a win by threats for the side to move, in how many plies, and whether more tries would find no more."""

def moves_back_to(position: str, seen: Sequence[int]) -> list[str]:
    """Return the turns after which one of these positions, told by their hashes, stands again."""

def defences(position: str) -> list[str] | None:
    """Return the moves that may stop the opponent's threats to win at once; None if there is no such threat."""

def levels() -> list[tuple[int, str, int, float, int, float, float, float, float, float]]:
    """Return the levels' numbers: see ``kernel/search/levels.hpp``."""

def choose_as(level: int, seed: int, position: str, options: list[tuple[str, float, int]]) -> str:
    """Return what a level plays of what was looked at: moves with score and proof, the best first."""

def plans(track: Track, adds_only: bool = False) -> tuple[list[int], list[int], list[bool]]:
    """Return the legal moves, how far each leaves its player from a connection, and whether it touches its own."""

def to_go(track: Track, colour: int) -> int:
    """Return how far a player is from joining the nearest pair of sides; 0 when they are joined."""
