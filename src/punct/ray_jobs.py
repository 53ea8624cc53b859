"""Run jobs on a Ray cluster: one that exists already, or a small one started here for as long as it is needed."""

from __future__ import annotations

import itertools
import os
import signal
import socket
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from importlib import import_module
from types import FrameType
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

from punct.errors import PunctError
from punct.extras import explain_missing

_JOBS_PER_CORE: Final = 2
"""Jobs queued for each core, so that no core waits for its next one."""
_CONNECT_TIMEOUT_SECONDS: Final = 10
_MAX_TRIES: Final = 3
"""How often Ray is started or joined before its failure is final."""
_MAX_RETRIES: Final = 5
"""How often a job is repeated whose worker was lost."""
_OBJECT_STORE_BYTES: Final = 512 << 20
"""Memory of a local Ray for what workers share: networks and samples."""
POLL_SECONDS: Final = 0.5
"""How long a call into Ray waits at most before Ctrl-C is looked for."""
_is_interrupted: Final = threading.Event()

Task = TypeVar("Task")
Result = TypeVar("Result")


class ClusterError(PunctError):
    """A cluster that cannot be reached, or that failed."""


@contextmanager
def connect(address: str | None, extra: str, *, cores: int | None = None) -> Iterator[Any]:
    """Connect to the cluster at an address, or start one on ``cores`` cores of this machine; yield Ray's module.

    Leaving the context disconnects; a local cluster is shut down, also when this process is killed. Inside it, Ctrl-C
    is raised by ``check_interrupt`` only. If Ray is not installed, a MissingExtraError names the extra.
    """
    with explain_missing("this", extra):
        ray: Any = import_module("ray")
    settings: dict[str, Any] = {"log_to_driver": False}
    if address is None:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # no telemetry
        settings |= {"num_cpus": cores, "include_dashboard": False, "object_store_memory": _OBJECT_STORE_BYTES}
    if address is None or not address.startswith("ray://"):  # a client passes it to the server, which refuses it
        settings["configure_logging"] = False
    problem = f"there is no Ray cluster at {address}" if address else "Ray does not start here"
    try:
        if address is not None:
            _check_reachable(address)  # Ray itself would retry for minutes
            problem = f"the Ray cluster at {address} does not let us in (if it wants a token, set RAY_AUTH_TOKEN)"
            _init(ray, _is_client_server_lost, address=address, **settings)
        else:
            _init(ray, _is_start_too_slow, address="local", **settings)
    except ConnectionAbortedError as error:  # the server's own words: the last line of its traceback
        raise ClusterError(
            f"the Ray cluster at {address} could not begin a server for this client; if it was busy, try again, or "
            f"give it more time by RAY_CLIENT_SERVER_CHECK_CHANNEL_TIMEOUT_S where it is started: {last_line(error)}"
        ) from None
    except Exception as error:  # of any class: Ray raises plain ones too
        raise ClusterError(f"{problem}: {first_line(error)}") from None
    try:
        with _deferred_interrupts():
            yield ray
    except ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, PunctError):  # an error of the job itself
            raise error.cause from None
        raise ClusterError(f"the work on Ray failed: {last_line(error)}") from None
    except ray.exceptions.RayError as error:
        raise ClusterError(f"the Ray cluster gave up: {first_line(error)}; run again to continue") from None
    finally:
        ray.shutdown()


@contextmanager
def _deferred_interrupts() -> Iterator[None]:
    """Note Ctrl-C for ``check_interrupt``; a second one interrupts at once.

    Raised in the middle of a call into Ray, a KeyboardInterrupt can be lost there, and the work would continue.
    """
    is_main_thread = threading.current_thread() is threading.main_thread()  # others cannot set a handler
    if not is_main_thread or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return

    def note(number: int, frame: FrameType | None) -> None:
        if _is_interrupted.is_set():
            signal.default_int_handler(number, frame)
        _is_interrupted.set()

    _is_interrupted.clear()
    signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        _is_interrupted.clear()


def check_interrupt() -> None:
    """Raise KeyboardInterrupt if Ctrl-C was pressed since Ray is connected; called between calls into Ray."""
    if _is_interrupted.is_set():
        raise KeyboardInterrupt


def _init(ray: Any, is_temporary: Callable[[Exception], bool], **settings: object) -> None:
    """Start or join Ray, with retries after temporary failures."""
    for tries_left in reversed(range(_MAX_TRIES)):
        try:
            ray.init(**settings)
            return
        except Exception as error:
            ray.shutdown()
            if not tries_left or not is_temporary(error):
                raise


def _is_start_too_slow(error: Exception) -> bool:
    """Return whether Ray's own processes exceeded its start timeout, as on a busy machine."""
    return not isinstance(error, ValueError | OSError)


def _is_client_server_lost(error: Exception) -> bool:
    """Return whether the process that the cluster starts for this client died or was too slow.

    The cluster forks it while its own gRPC threads run, which now and then kills it before it has begun
    (ray-project/ray#63202).
    """
    return isinstance(error, ConnectionAbortedError)


def run_jobs(ray: Any, work: Callable[..., Result], tasks: Iterator[Task], *shared: object) -> Generator[Result]:
    """Yield the result of each task, in any order, from all cores of the cluster.

    ``work`` is called with a task and the ``shared`` arguments, which are sent to each machine once. A job whose worker
    is lost is repeated by another. The program must be installed on every machine, in the same version.

    A caller that leaves early abandons the jobs under way: they end by themselves, or with the connection. They are not
    cancelled, because ``ray.cancel`` aborts this whole process if the job ends at that moment (ray-project/ray#54738).
    """
    job = ray.remote(num_cpus=1, max_retries=_MAX_RETRIES)(work)
    references = [ray.put(each) for each in shared]
    pending: list[Any] = []
    while True:
        free = max(0, _JOBS_PER_CORE * cores_of(ray) - len(pending))  # machines may come and go
        pending += [job.remote(task, *references) for task in itertools.islice(tasks, free)]
        if not pending:
            return
        while not ray.wait(pending, timeout=POLL_SECONDS)[0]:
            check_interrupt()
        done, pending = ray.wait(pending, num_returns=len(pending), timeout=0)  # all that are finished
        check_interrupt()
        yield from ray.get(done)


def cores_of(ray: Any) -> int:
    """Return how many cores the cluster has now."""
    return max(1, int(ray.cluster_resources().get("CPU", 1)))


def cores_here() -> int:
    """Return how many cores of this machine this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def first_line(error: Exception) -> str:
    """Return the first line of an error's message."""
    return str(error).strip().partition("\n")[0]


def last_line(error: Exception) -> str:
    """Return the last line of a remote error's message, which follows its traceback."""
    return str(error).strip().rpartition("\n")[2]


def _check_reachable(address: str) -> None:
    """Raise OSError or ValueError unless a server listens at an address; ``auto`` and ``local`` are Ray's own."""
    if address in ("auto", "local"):
        return
    parts = urlsplit(address if "://" in address else f"//{address}")
    if parts.hostname is None or parts.port is None:
        raise ValueError("an address is auto, HOST:PORT or ray://HOST:PORT")
    socket.create_connection((parts.hostname, parts.port), _CONNECT_TIMEOUT_SECONDS).close()
