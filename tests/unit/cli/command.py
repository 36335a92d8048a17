"""A command that a test ran in its own process."""

from collections.abc import Callable


class Outcome:
    """The exit code and the output of a command."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code = code
        self.out = out
        self.err = err


Command = Callable[..., Outcome]
