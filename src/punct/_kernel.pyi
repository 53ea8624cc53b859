"""The compiled kernel. Use ``punct.kernel``, which checks arguments and uses the library's types."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from punct.move import Move

ACTIONS: int
ACTION_BYTES: int
PLANES: int
MAX_NODES: int
INSTRUCTIONS: str  # "avx2" or "baseline"
"""No search has more."""

_Piece = tuple[int, int, int, int, bool, tuple[int, int, int], tuple[int, int, int]]
"""A piece on the board: its number, orientation, space and level; whether it is a bridge; by dot, the number of the
piece right below it, and of the one right above it (36: none). White's pieces are 0–17, Black's 18–35, by kind, and
keep their numbers."""

class Track:
    """A position with the moves played in it. Moves are packed (see ``punct.kernel.packed``)."""

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
    def moves(self, cache: list[Move | None], make: Callable[[int], Move]) -> list[Move]:
        """Return the legal moves as objects: ``cache`` has them by action, None where ``make`` has yet to make one."""

    def landings(self, numbered: bool = False) -> list[tuple[int, int, int]]:
        """Return (orientation, old space or 255, mask of new spaces) for all legal moves.

        The mask is in the library's layout, or has a bit for each space by its number.
        """

    def shown(self, colour: int) -> int:
        """Return the mask of the spaces that show a colour, in the library's layout."""

    def move_at(self, index: int) -> int | None:
        """Return the legal move with this index in the list of them."""

    def pieces(self) -> list[_Piece]:
        """Return every piece on the board, in the order of their numbers."""

    def count(self) -> int: ...
    def is_legal(self, number: int) -> bool: ...
    def push(self, number: int) -> bool:
        """Play a move if it is legal, and return whether it was."""

    def push_text(self, text: str) -> int | None:
        """Play a move if the text is a legal one, and return its number."""

    def push_texts(self, texts: list[str]) -> tuple[list[int], list[int]]:
        """Play texts up to the first that is not a legal move; return the moves played and the hash after each."""

    def is_legal_text(self, text: str) -> bool: ...
    def refusal(self, text: str) -> tuple[int, list[int]] | None:
        """Return why a move is not allowed, as the number of the reason, and the spaces that are in its way.

        None if it is legal, or if the text is not a move.
        """

    def over(self) -> bool: ...
    def pop(self) -> int | None: ...
    def played(self) -> list[int]: ...
    def read_move(self, text: str) -> int | None: ...
    def verdict(self) -> tuple[int, int]:
        """Return the outcome (0 open, 1 White, 2 Black, 3 draw) and why (0 open, 1 chain, 2 last piece, 3 no move)."""

    def centre_count(self) -> tuple[int, int]: ...
    def perft(self, depth: int, hashed: bool = False) -> int: ...

def move_text(number: int) -> str | None: ...
def action_of(number: int) -> int: ...
def push_actions(
    track: Track, text: str, at: int, first_seat: int, orientations: bytes
) -> tuple[list[int], list[int], list[tuple[int, int, int]], int]:
    """Play the actions of a Boardspace record from an offset on, node by node, while each move concerns one piece.

    The track is of an empty board. ``first_seat`` is the colour of P0; ``orientations`` has by number and rotation of a
    piece the kernel's orientation, or 255. Return the moves, the hash after each, comments as (index of the move they
    are about, begin, end), and where it stopped.
    """

def move_of_action(track: Track, action: int) -> int: ...
def streams(seed: int, out: NDArray[np.uint64]) -> None:
    """Fill an array with random streams."""

MAX_DRAW_ATTEMPTS: int
"""How many actions are drawn before the legal ones are counted."""

def draw_actions(track: Track, seed: int, out: NDArray[np.int64], attempts: int = ...) -> None:
    """Fill an array with legal actions of a position, each drawn evenly; -1 if there is none."""

class Batch:
    """Positions side by side. Arrays are filled; ValueError if one has the wrong size."""

    def __init__(self, tracks: Sequence[Track], repetition: bool, max_plies: int) -> None: ...
    def __len__(self) -> int: ...
    def copy(self) -> Batch: ...
    def track(self, row: int) -> Track: ...
    def start(self, row: int) -> Track: ...
    def trail(self, row: int) -> tuple[list[int], int]:
        """Return the hashes since a piece was last added, and how many plies were played."""

    def set(self, row: int, track: Track) -> None: ...
    def resume(self, row: int, track: Track, hashes: list[int], plies: int) -> None:
        """Continue from a position with the trail it had; the row's start position stays."""

    def reset(self, rows: NDArray[np.int64]) -> None: ...
    def take(self, rows: NDArray[np.int64]) -> Batch: ...
    def legal(self, out: NDArray[np.bool_], threads: int) -> None: ...
    def legal_bits(self, out: NDArray[np.uint8], threads: int) -> None: ...
    def legal_lists(self, threads: int) -> tuple[NDArray[np.int32], NDArray[np.int64]]: ...
    def legal_lists_into(self, actions: NDArray[np.int32], starts: NDArray[np.int64], threads: int) -> int:
        """Return how many there are; if the array is shorter, nothing was written."""

    def step(self, actions: NDArray[np.int64], threads: int) -> int:
        """Play all actions or none; return -1, or the first row whose action is not legal."""

    def advance(
        self,
        actions: NDArray[np.int64],
        rewards: NDArray[np.float32],
        terminated: NDArray[np.bool_],
        truncated: NDArray[np.bool_],
        results: NDArray[np.int8],
        auto_reset: int,
        threads: int,
    ) -> int:
        """Do so and write the results. Reset finished games never (0), instead of the next step (1), at once (2)."""

    def sample(self, streams: NDArray[np.uint64], out: NDArray[np.int64], threads: int) -> None: ...
    def planes(self, out: NDArray[np.uint8], colours: NDArray[np.int8] | None, threads: int) -> None: ...
    def permutations(self, symmetry: int) -> NDArray[np.int32]: ...
    def transformed(self, symmetry: int) -> Batch: ...
    def distances(self) -> NDArray[np.int8]: ...
    def evaluate(self) -> NDArray[np.float32]: ...
    def score_moves(self, max_count: int) -> tuple[NDArray[np.int32], NDArray[np.float32], NDArray[np.int64]]: ...
    def results(self, out: NDArray[np.int8]) -> None: ...
    def turns(self, out: NDArray[np.int8]) -> None: ...
    def hashes(self, out: NDArray[np.uint64]) -> None: ...
    def repetitions(self, out: NDArray[np.int32]) -> None: ...
    def plies(self, out: NDArray[np.int32]) -> None: ...

class Episode:
    """One game as learning programs play it."""

    def __init__(self, track: Track, repetition: bool, max_plies: int, stream: int) -> None: ...
    def copy(self) -> Episode: ...
    def reset(self) -> None: ...
    def step(self, action: int) -> int:
        """Return the result (as ``Batch.results``), or -1, with nothing played, if the action is not legal."""

    def sample(self) -> int:
        """Return a legal action, each as likely as the others; -1 when the game is over."""

    def legal_actions(self) -> NDArray[np.int32]: ...
    def legal(self, out: NDArray[np.bool_]) -> None: ...
    def legal_bits(self, out: NDArray[np.uint8]) -> None: ...
    def planes(self, colour: int, out: NDArray[np.uint8]) -> None:
        """Fill the planes as if it were this player's turn."""

    def track(self) -> Track:
        """Return the position with the moves that led there."""

    def start(self) -> Track: ...
    def played(self) -> list[int]: ...
    stream: int
    @property
    def result(self) -> int: ...
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
def score_moves(track: Track, max_count: int) -> list[tuple[int, float]]: ...
def canonical(track: Track) -> tuple[Track, int]: ...
def canonical_key(track: Track) -> tuple[int, int]:
    """Return a 64-bit key that a position shares with its twelve images, and a symmetry to the image that has it."""

def opening_moves(
    games: list[tuple[str, str]], max_plies: int
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32]]:
    """Return the first moves of games, each a start and its moves with blanks between, in canonical form.

    Return by move the canonical key of the position and the move in that image; by game the number of its moves, -1 if
    it cannot be played. A position that recurs in a game counts once.
    """

def distances(
    track: Track, colour: int, pair: int, costs: tuple[int, int, int, int, int] | None = None
) -> tuple[list[int], list[int], int]:
    """Return the maps from both sides and the cost of the cheapest path between them.

    The costs are those of an empty space, of an empty one in the closed centre, of an opponent's dot, the increase for
    each level above the board, and the highest of all.
    """

def transformed(track: Track, symmetry: int) -> Track: ...
def transformed_move(number: int, symmetry: int) -> int: ...
def is_bridge(track: Track, number: int) -> bool: ...
def play_random(track: Track, seed: int, turns: int, raised: int = 0, bridge: int = 0, moved: int = 0) -> list[int]: ...
def random_games(
    track: Track, games: int, seed: int, limit: int = 10000, raised: int = 0, bridge: int = 0, moved: int = 0
) -> tuple[list[int], int]:
    """Return how many games ended open, won by White, won by Black, drawn; and the number of moves played."""

def measure(what: str, tracks: Sequence[Track], seconds: float) -> tuple[int, float, int]:
    """Repeat one kind of work for about ``seconds``: return the units done, the seconds taken and a checksum."""

MAX_PROOF_DEPTH: int
"""The most moves of the attacker in a proof."""

def wins_at_once(track: Track) -> list[int]:
    """Return the moves with which the side to move wins at once."""

def holding_moves(track: Track, max_count: int = ...) -> list[int]:
    """Return the moves that neither lose nor let the opponent win with the next one, at most ``max_count``."""

def approaches(track: Track) -> list[int] | None:
    """Return the moves after which one more might make a chain; None if one piece could already. For tests."""

def wins_by_count(track: Track, colour: int) -> bool:
    """Return whether a player would win by adding the last piece."""

class Prover:
    """Proofs by trying every reply. Those of one prover share a cache, and run one at a time.

    Each has a budget of moves to try; None is returned if it is too small. After every slice of so many it checks for
    signals. ``depth`` is the number of the attacker's moves.
    """

    def __init__(self, cache_bits: int = 18) -> None: ...
    def wins(
        self, track: Track, depth: int, max_count: int = ..., budget: int = ..., slice: int = ...
    ) -> list[tuple[int, int]] | None:
        """Return the moves that win within this depth, the soonest first, each with its depth."""

    def answer(
        self, track: Track, depth: int, budget: int = ..., slice: int = ...
    ) -> tuple[bool, int | None, int] | None:
        """Return whether the side to move loses within this depth, its best reply, and the depth left after it."""

    def variation(self, track: Track, depth: int, budget: int = ..., slice: int = ...) -> list[int] | None:
        """Return a winning variation, empty if there is none."""

class ThreadError(RuntimeError):
    """Not all threads could be started."""

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
        """Search the position after these moves until a limit is reached; one must be given.

        The moves count for repetition. See ``punct.engine.variations.KernelReport`` for the result. MemoryError if
        there is not enough memory, ThreadError if not all threads could be started.
        """

    def reserve(self) -> float:
        """Allocate the memory now, or half of it and so on; return the megabytes. MemoryError if there is none."""

    @property
    def megabytes(self) -> float:
        """The memory limit of a tree."""

    def stop(self) -> None: ...
    def set_weights(self, evaluation: Sequence[float], prior: Sequence[float]) -> None:
        """Search with these weights from now on; ValueError if they are too few, too many or not finite."""

    def set_network(self, network: Network | None) -> None:
        """Search with this network from now on, instead of the weights; None: with the weights."""

NETWORK_INPUTS: int
NETWORK_SPACE_FEATURES: int
NETWORK_SPACE_UNITS: int
NETWORK_HIDDEN: int
NETWORK_SECOND: int
NETWORK_HANDCRAFTED: int
NETWORK_MOVE_FEATURES: int
NETWORK_ONE: int
NETWORK_WEIGHT_ONE: int
NETWORK_SECOND_ONE: int

class Network:
    """A network for value and policy: see ``kernel/search/network.hpp``."""

    def __init__(self, content: bytes) -> None:
        """Read a file's content; ValueError if it is not a valid network."""

    def evaluate(self, position: str) -> tuple[float, list[float], list[float]]:
        """Return the logarithm of the odds, the weights of a move's features, and three maps of the spaces."""

def network_checksum(content: bytes) -> int:
    """Return the checksum that ends a network's file, after this content."""

def network_training_data(
    positions: Sequence[str], moves: Sequence[Sequence[str]], visits: Sequence[Sequence[int]], others: int
) -> dict[str, NDArray[Any]]:
    """Return what a network is trained on: arrays by name, as ``punct.training.dataset`` takes them."""

def network_symmetries() -> dict[str, NDArray[Any]]:
    """Return the image of each input and each space under each of the twelve symmetries."""

def features(position: str) -> list[float]:
    """Return the features of a position, in the order of the evaluation's weights."""

def default_evaluation_weights() -> list[float]: ...
def move_features(position: str, moves: Sequence[str]) -> list[list[float]]:
    """Return the features of legal moves, in the order of the prior's weights."""

def default_prior_weights() -> list[float]: ...
def candidates(position: str, max_count: int, network: Network | None = None) -> list[tuple[str, float]]:
    """Return the candidates, best first, each with its prior: by the weights, or by a network."""

def forced_win(position: str, tries: int) -> tuple[str | None, int, bool]:
    """Return a win by threats for the side to move, in how many plies, and whether more tries would not change that."""

def moves_back_to(position: str, hashes: Sequence[int]) -> list[str]:
    """Return the moves after which one of these positions, given by their hashes, occurs again."""

def defences(position: str) -> list[str] | None:
    """Return the moves that may stop the opponent's threats to win at once; None if there is no such threat."""

def levels() -> list[tuple[int, str, int, float, int, float, float, float, float, float]]:
    """Return the levels' fields: see ``kernel/search/levels.hpp``."""

def choose_move_as(level: int, seed: int, position: str, options: list[tuple[str, float, int]]) -> str:
    """Return the move that a level plays, given searched moves with score and proven result, the best first."""

def greedy_moves(track: Track, adds_only: bool = False) -> tuple[list[int], list[int], list[bool]]:
    """Return the legal moves, the distance that each leaves its player, and whether it touches its player's dots."""

def nearest_distance(track: Track, colour: int) -> int:
    """Return a player's distance to joining the nearest pair of sides; 0 when they are joined."""

def view_json(track: Track, winner: int | None, reason: str | None) -> bytes:
    """Return the API's view of a position; ``reason`` and ``winner`` of the game's end, None while it is open."""

def explanation_json(track: Track, text: str, any_heading: bool, is_over: bool) -> bytes:
    """Return the API's explanation of a move; with ``is_over`` nothing is legal, whatever the position."""

def reasons() -> list[tuple[str, str, str]]:
    """Return name, section and sentence of every reason, in the order of ``punct.Reason``: for tests."""
