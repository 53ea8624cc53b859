"""Work on a Ray cluster: one that is there already, or a small one begun here for as long as it is needed."""

from __future__ import annotations

import itertools
import os
import socket
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

from punct.errors import PunctError

_WAITING: Final = 2
"""So many jobs for each core are handed out: none of them ever waits for its next."""
_PATIENCE: Final = 10
"""Seconds."""
_STARTS: Final = 3
"""So often is Ray started here until it gives up for good."""
_RETRIES: Final = 5
"""So often is a job done again whose worker was lost."""
_OBJECTS: Final = 512 << 20
"""Bytes that workers here may share: networks and samples."""

Task = TypeVar("Task")
Result = TypeVar("Result")


class ClusterError(PunctError):
    """A cluster that is not there, or that gave up."""


@contextmanager
def joined(address: str | None, extra: str, *, cores: int | None = None) -> Iterator[Any]:
    """Give Ray's module, with the cluster at an address joined; without one, so many cores of this machine.

    Leaving it leaves the cluster; one that was begun here ends, also when this process is killed. Where Ray is not
    installed, a ClusterError names the extra that brings it.
    """
    try:
        ray: Any = import_module("ray")
    except ImportError:
        raise ClusterError(f"this needs Ray, which is not installed here: pip install 'punct[{extra}]'") from None
    settings: dict[str, Any] = {"log_to_driver": False}
    if address is None:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # what is done here is nobody else's business
        settings |= {"num_cpus": cores, "include_dashboard": False, "object_store_memory": _OBJECTS}
    if address is None or not address.startswith("ray://"):  # a client hands it to the far end, which refuses it
        settings["configure_logging"] = False
    whence = f"there is no Ray cluster at {address}" if address else "Ray does not start here"
    try:
        if address is not None:
            _knock(address)  # Ray itself would go on trying for minutes
            whence = f"the Ray cluster at {address} does not let us in (if it wants a token, set RAY_AUTH_TOKEN)"
            ray.init(address=address, **settings)
        else:
            _start(ray, settings)
    except ConnectionAbortedError as error:  # what the far end says of itself: the last line of its traceback
        raise ClusterError(
            f"the Ray cluster at {address} could not begin a server for this client; if it was busy, try again, or "
            f"give it more time by RAY_CLIENT_SERVER_CHECK_CHANNEL_TIMEOUT_S where it is started: {last_line(error)}"
        ) from None
    except Exception as error:  # of whatever class: Ray raises plain ones too
        raise ClusterError(f"{whence}: {first_line(error)}") from None
    try:
        yield ray
    except ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, PunctError):  # what the work itself refuses, in its own words
            raise error.cause from None
        raise ClusterError(f"the work on Ray failed: {last_line(error)}") from None
    except ray.exceptions.RayError as error:
        raise ClusterError(f"the Ray cluster gave up: {first_line(error)}; begin again to go on") from None
    finally:
        ray.shutdown()


def _start(ray: Any, settings: Mapping[str, Any]) -> None:
    """Start a Ray on this machine; again if it gives up, as where its own processes take longer than it grants them."""
    for left in reversed(range(_STARTS)):
        try:
            ray.init(address="local", **settings)
            return
        except (ValueError, OSError):
            raise  # another time it would be no better
        except Exception:
            ray.shutdown()
            if not left:
                raise


def spread(ray: Any, work: Callable[..., Result], tasks: Iterator[Task], *shared: object) -> Generator[Result]:
    """Yield what comes of each task, in any order, from all cores of the cluster.

    ``work`` is called with a task and what is shared, which is sent to each machine once. A job whose worker is lost is
    done again by another. The program must be installed on every machine, in the same version.
    """
    far = ray.remote(num_cpus=1, max_retries=_RETRIES)(work)
    everywhere = [ray.put(each) for each in shared]
    waiting: list[Any] = []
    try:
        while True:
            room = max(0, _WAITING * cores_of(ray) - len(waiting))  # machines may come and go
            waiting += [far.remote(task, *everywhere) for task in itertools.islice(tasks, room)]
            if not waiting:
                return
            ray.wait(waiting)
            done, waiting = ray.wait(waiting, num_returns=len(waiting), timeout=0)  # all that are there by now
            yield from ray.get(done)
    finally:
        with suppress(Exception):  # of a cluster that has given up nothing can be asked
            for job in waiting:  # whoever leaves early wants no more of it
                ray.cancel(job, force=True)


def cores_of(ray: Any) -> int:
    """Return how many cores the cluster has now."""
    return max(1, int(ray.cluster_resources().get("CPU", 1)))


def cores_here() -> int:
    """Return how many cores of this machine this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def first_line(error: Exception) -> str:
    """Return what an error says, without what follows."""
    return str(error).strip().partition("\n")[0]


def last_line(error: Exception) -> str:
    """Return what an error from afar says in the end, after its traceback."""
    return str(error).strip().rpartition("\n")[2]


def _knock(address: str) -> None:
    """See whether anybody listens at an address, unless it is a word of Ray's own; raises OSError or ValueError."""
    if address in ("auto", "local"):
        return
    where = urlsplit(address if "://" in address else f"//{address}")
    if where.hostname is None or where.port is None:
        raise ValueError("an address is auto, HOST:PORT or ray://HOST:PORT")
    socket.create_connection((where.hostname, where.port), _PATIENCE).close()
