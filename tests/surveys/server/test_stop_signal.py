"""A process that signals interrupt at any instruction still stops."""

import subprocess
import sys

from surveys.server.stop_signal import StopSignal

_INTERRUPTED = """
import signal
from surveys.server.stop_signal import StopSignal

stop = StopSignal()
stop.catch([signal.SIGALRM])
# The signal arrives a little later in each round, so it interrupts each call somewhere.
for number in range(20_000):
    signal.setitimer(signal.ITIMER_REAL, 1e-6 * (1 + number % 40))
    stop.is_set()
    stop.wait(0)
    stop.set()
print(stop.wait(0))
"""


def test_signals_at_any_instruction_cannot_block_the_process() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", _INTERRUPTED], capture_output=True, text=True, timeout=60, check=True
    )
    assert ended.stdout == "True\n"


def test_a_request_to_stop_remains() -> None:
    stop = StopSignal()
    assert not stop.is_set()
    for _ in range(100_000):
        stop.set()
    assert stop.wait(1)
    assert stop.is_set()
