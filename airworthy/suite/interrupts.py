"""Let SIGTERM and SIGHUP interrupt a run as Ctrl-C does, so that it writes its report."""

import signal
import threading
from types import FrameType
from typing import Final

_SIGNALS: Final = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


def interrupt_on_signals() -> None:
    """Raise KeyboardInterrupt on the first signal, except for signals that the process ignores, such as under nohup."""
    if threading.current_thread() is threading.main_thread():
        for number in _SIGNALS:
            if signal.getsignal(number) is signal.SIG_DFL:
                signal.signal(number, _interrupt)


def restore_signals() -> None:
    """Undo `interrupt_on_signals`."""
    if threading.current_thread() is threading.main_thread():
        for number in _SIGNALS:
            if signal.getsignal(number) in (_interrupt, _ignore):
                signal.signal(number, signal.SIG_DFL)


def _interrupt(number: int, _: FrameType | None) -> None:
    # A second signal must not prevent the report.
    for each in _SIGNALS:
        signal.signal(each, _ignore)
    raise KeyboardInterrupt(f"the run was ended by {signal.Signals(number).name}")


def _ignore(_number: int, _frame: FrameType | None) -> None:
    pass
