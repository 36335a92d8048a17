"""Let a user end a run, which then still writes its report: Ctrl-C, SIGTERM and SIGHUP."""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, ClassVar, Final

INTERRUPTED: Final = "the run was interrupted"
IGNORED: Final = "airworthy: the run has ended and writes its report, which takes some seconds"
_STANDARD_ERROR: Final = 2
_SIGNALS: Final = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


class Interrupts:
    """Raises KeyboardInterrupt on the first signal of a session, and ignores later ones: the report is being written.

    With ``tells``, a line on standard error says so once. Signals that the process ignores, such as under nohup, remain
    ignored.
    """

    # A session of pytest may run in another one, as in tests of plugins.
    _current: ClassVar["Interrupts | None"] = None

    def __init__(self, *, tells: bool = False) -> None:
        self._tells = tells
        self._outer = Interrupts._current
        self._previous: dict[signal.Signals, Any] = {}
        self._holds = 0
        self._waiting = ""
        self.reason = ""
        self._is_over = False

    def begin(self) -> None:
        """Handle signals until `end`."""
        Interrupts._current = self
        if threading.current_thread() is threading.main_thread():
            for number in _SIGNALS:
                if signal.getsignal(number) not in (signal.SIG_IGN, None):
                    self._previous[number] = signal.signal(number, self._handle)

    def end(self) -> None:
        """Restore the handling of signals from before `begin`."""
        Interrupts._current = self._outer
        for number, handler in self._previous.items():
            signal.signal(number, handler)

    def ignore(self) -> None:
        """Ignore signals from now on, because the run has ended."""
        self._is_over = True

    def hold(self) -> None:
        """Let a signal wait until `release`."""
        self._holds += 1

    def release(self) -> None:
        """Raise KeyboardInterrupt if a signal has waited."""
        self._holds -= 1
        if self._waiting and not self._holds:
            reason, self._waiting = self._waiting, ""
            raise KeyboardInterrupt(reason)

    @classmethod
    @contextmanager
    def held(cls) -> Iterator[None]:
        """Let a signal wait until the end of the block."""
        current = cls._current
        # Signals interrupt the main thread only.
        if current is None or threading.current_thread() is not threading.main_thread():
            yield
            return
        current.hold()
        try:
            yield
        finally:
            current.release()

    @classmethod
    def check(cls) -> None:
        """Raise KeyboardInterrupt again after a signal: a library may have taken the first one for a failure."""
        if cls._current and cls._current.reason:
            raise KeyboardInterrupt(cls._current.reason)

    def _handle(self, number: int, _: FrameType | None) -> None:
        if self._is_over:
            if self._tells:
                self._tells = False
                # Not to sys.stderr, which the signal may have interrupted.
                os.write(_STANDARD_ERROR, f"\n{IGNORED}\n".encode())
            return
        self._is_over = True
        reason = INTERRUPTED if number == signal.SIGINT else f"the run was ended by {signal.Signals(number).name}"
        self.reason = reason
        if not self._holds:
            raise KeyboardInterrupt(reason)
        self._waiting = reason


@contextmanager
def signals_blocked() -> Iterator[None]:
    """Block signals during the block. The processes that it starts inherit this until they run such a block, too."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
