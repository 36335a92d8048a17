"""A command of Airworthy that a test runs in its own process."""

from typing import NamedTuple, Protocol


class Outcome(NamedTuple):
    """The exit code and the output of a command."""

    code: int
    out: str
    err: str


class Command(Protocol):
    """``airworthy("rules", "--json")`` runs a command and returns its outcome."""

    def __call__(self, *arguments: object) -> Outcome: ...
