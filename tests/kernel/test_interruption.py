"""Long calls of the kernel: Ctrl-C ends them, nothing is left half done, and a fork does not hang."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
import time

import pytest

posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork, and no signals between processes")
MAX_SECONDS = 240
"""Far more than any of them takes: a call that is not ended would take days."""


def run(script: str) -> str:
    process = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        capture_output=True,
        text=True,
        timeout=MAX_SECONDS,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    return process.stdout.strip()


LONG_CALLS = (
    "position.perft(5)",
    "position.perft(5, hashed=True)",
    "kernel.random_games(position, 10**12, 1)",
    "openings.opening_moves([('standard w', 'Ed5ne')] * 10**7, 1)",
    "_kernel.measure('perft', [position.track], 1e6)",
)
"""They would take days."""


@posix
@pytest.mark.parametrize("call", LONG_CALLS)
def test_ctrl_c_ends_a_long_call(call: str) -> None:
    script = f"""
    import signal
    signal.signal(signal.SIGINT, signal.default_int_handler)
    from punct import _kernel, kernel
    from punct.kernel import openings
    position = kernel.Position()
    text = str(position)
    try:
        print("begun", flush=True)
        {call}
    except KeyboardInterrupt:
        assert str(position) == text
        assert position.perft(1) == 4986
        print("ended")
    """
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script)], text=True, stdout=subprocess.PIPE
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "begun\n"
            time.sleep(0.3)  # most likely in the call by then
            process.send_signal(signal.SIGINT)
            assert process.communicate(timeout=MAX_SECONDS)[0] == "ended\n"
        finally:
            process.kill()


@posix
@pytest.mark.parametrize("call", LONG_CALLS)
def test_a_signal_is_seen_within_a_second_of_work(call: str) -> None:
    """Counted by the time of the processor, which other programs do not take away."""
    script = f"""
    import resource, signal
    from punct import _kernel, kernel
    from punct.kernel import openings
    position = kernel.Position()
    signal.signal(signal.SIGVTALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_VIRTUAL, 1.0)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    try:
        {call}
    except KeyboardInterrupt:
        print(resource.getrusage(resource.RUSAGE_SELF).ru_utime - before)
    """
    assert float(run(script)) < 2.0


INTERRUPT = """
import signal
import numpy as np
from punct import kernel

class Interruption(Exception):
    pass

is_armed = False

def interrupt(signum, frame):
    global is_armed
    try:
        batch.results()
    except RuntimeError:  # it is in the middle of a call
        if is_armed:
            is_armed = False
            raise Interruption from None

def interrupt_in_the_middle(prepare, call):
    global is_armed
    signal.signal(signal.SIGVTALRM, interrupt)
    # Every few milliseconds of this process's own time, until one of them and a look for signals meet in a call.
    signal.setitimer(signal.ITIMER_VIRTUAL, 0.004, 0.004)
    try:
        while True:
            prepare()
            is_armed = True
            call()
            is_armed = False
    except Interruption:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
"""


@posix
def test_an_interrupted_batch_is_as_before() -> None:
    """Methods are ended in the middle, however short they are: each is tried until that has happened."""
    script = """
    batch = kernel.Batch.start(3000)
    batch.step(batch.sample())
    hashes = batch.hashes()
    expected = batch.legal_bits()
    mask = np.empty_like(expected)
    for threads in (1, 3):
        while True:
            interrupt_in_the_middle(lambda: mask.fill(255), lambda: batch.legal_bits(mask, threads=threads))
            is_untouched = (mask == 255).all(1)
            assert ((mask == expected).all(1) | is_untouched).all()
            if is_untouched[-1]:  # else the look for signals came after the last row
                break
    interrupt_in_the_middle(lambda: None, batch.evaluate)
    assert (batch.hashes() == hashes).all()
    batch = kernel.Batch.start(12000)  # more, as what follows is shorter: a signal meets it sooner
    streams = kernel.streams(len(batch))
    before = streams.copy()
    interrupt_in_the_middle(lambda: np.copyto(before, streams), lambda: batch.sample(streams, threads=2))
    assert (streams == before).all()

    def draw_actions():
        global actions, hashes
        batch.reset()
        actions, hashes = batch.sample(), batch.hashes()

    # A step is played in all rows or in none.
    while True:
        interrupt_in_the_middle(draw_actions, lambda: batch.step(actions, threads=2))
        is_played = batch.hashes() != hashes
        if not is_played.any():
            break
        assert is_played.all()  # it was interrupted in what follows: the results
    """
    assert run(INTERRUPT + textwrap.dedent(script)) == ""


@posix
def test_a_signal_handler_cannot_use_the_batch_that_it_interrupts() -> None:
    script = """
    import signal
    import numpy  # now: a signal must not meet its import
    from punct import kernel
    batch = kernel.Batch.start(2000)
    errors = []

    def look(signum, frame):
        try:
            batch.results()
        except RuntimeError as error:
            errors.append(str(error))

    signal.signal(signal.SIGVTALRM, look)
    signal.setitimer(signal.ITIMER_VIRTUAL, 0.02, 0.02)
    while not errors:
        batch.evaluate()
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    assert len(batch.results()) == 2000
    print(errors[0])
    """
    assert "signal handler" in run(script)


@posix
def test_a_fork_of_a_process_with_threads_does_not_hang() -> None:
    """Also while other threads are in the middle of a call."""
    script = """
    import os, threading, warnings
    from punct.env import VectorEnv
    warnings.simplefilter("ignore", DeprecationWarning)
    games = VectorEnv(256, seed=1, threads=3)
    other = VectorEnv(512, seed=2, threads=2)
    over = False

    def play():
        while not over:
            other.step(other.sample())

    thread = threading.Thread(target=play)
    thread.start()
    for _ in range(10):
        games.step(games.sample())
        child = os.fork()
        if not child:
            games.step(games.sample())
            other.step(other.sample())
            os._exit(7)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    over = True
    thread.join()
    print("done")
    """
    assert run(script) == "done"


FROM_A_HANDLER = """
import os, signal, warnings
import numpy  # now: a signal must not meet its import
from punct import kernel
warnings.simplefilter("ignore", DeprecationWarning)
batch, other = kernel.Batch.start(4000), kernel.Batch.start(50)
expected = other.legal_bits()

def in_the_middle(does):
    done = []

    def look(signum, frame):
        try:
            batch.results()
        except RuntimeError:  # it is in the middle of a call
            if not done:
                done.append(does())

    signal.signal(signal.SIGVTALRM, look)
    signal.setitimer(signal.ITIMER_VIRTUAL, 0.02, 0.02)
    while not done:
        batch.legal_bits(threads=3)
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return done[0]
"""


@posix
def test_a_signal_handler_may_use_threads_in_the_middle_of_a_call_that_has_them() -> None:
    script = """
    assert (in_the_middle(lambda: other.legal_bits(threads=3)) == expected).all()
    print("done")
    """
    assert run(FROM_A_HANDLER + textwrap.dedent(script)) == "done"


@posix
def test_a_fork_by_a_signal_handler_does_not_wait_for_threads_that_are_gone() -> None:
    script = """
    try:
        child = in_the_middle(os.fork)
    except RuntimeError as error:
        is_told = "forked" in str(error)
        is_usable = (other.legal_bits(threads=3) == expected).all()
        os._exit(7 if is_told and is_usable else 8)
    assert child and os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    print("done")
    """
    assert run(FROM_A_HANDLER + textwrap.dedent(script)) == "done"


def test_threads_of_python_share_the_kernel_s() -> None:
    """Several batches at once, each on several threads: the results are those of one at a time."""
    script = """
    import threading
    from punct.env import VectorEnv

    def play(seed, threads):
        games = VectorEnv(100, seed=seed, threads=threads)
        for _ in range(60):
            games.step(games.sample())
        return games.batch.hashes().tolist()

    expected = [play(seed, 1) for seed in range(4)]
    found = [None] * 4

    def note(seed):
        found[seed] = play(seed, 3)

    threads = [threading.Thread(target=note, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(found == expected)
    """
    assert run(script) == "True"
