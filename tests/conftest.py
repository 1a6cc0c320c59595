"""What all tests rely on."""

import signal

import pytest


@pytest.fixture(autouse=True, scope="session")
def interrupts_arrive():
    """Ctrl-C works in the tests, even where a shell started them in the background and so has it ignored."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
