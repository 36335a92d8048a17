"""What a step can say about the scenario that it belongs to: raise one of these, or use `expect` and `prerequisite`.

::

    raise Untested("the profile names no route that is sold out")
    raise NotApplicable("the profile says that the service sells no cabin bags")
    raise Warn("an adult without a birth date was accepted although BIRTH_DATE is listed")
    expect(status == 401, "a wrong key is refused", expected="status 401", actual=f"status {status}",
           pointer="status", exchange=exchange)
    with prerequisite("no offer could be stored", rule="V4-OFFER-FIELDS"):
        ...

A scenario that raises none of them and ends has passed, as far as the contract found nothing against its rule.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from airworthy.contract.exchange import Exchange

Side = Literal["request", "response"]


class Outcome(Exception):  # noqa: N818  an outcome is no error
    """Ends a scenario with a verdict of its own."""


class Untested(Outcome):
    """The rule applies but could not be exercised.

    ``reason`` names the root cause in the same words wherever it shows (with the profile's key that would mend it):
    rules with one reason are reported together.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class NotApplicable(Outcome):
    """The profile declares the capability absent."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Warn(Outcome):
    """A soft check did not hold: recorded, and never a failure. It ends the scenario; `warn` (a fixture) goes on."""

    def __init__(self, message: str, exchange: Exchange | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.exchange = exchange


class Broken(AssertionError):  # noqa: N818  it is the rule that is broken, not the program
    """A rule is violated: the expected value, the actual value, and the location.

    ``pointer`` as in `Finding`: a JSON Pointer into the body, ``status``, ``header:NAME``, ``query:NAME``, ``path``.
    """

    def __init__(
        self,
        message: str,
        *,
        expected: object = "",
        actual: object = "",
        pointer: str = "",
        side: Side = "response",
        exchange: Exchange | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.expected = _short(expected)
        self.actual = _short(actual)
        self.pointer = pointer
        self.side: Side = side
        self.exchange = exchange


class PrerequisiteBroken(Outcome):
    """What the scenario stands on could not be had, because the service breaks another rule.

    The scenario is ``untested`` with ``reason``; the fault counts against ``rule``, the one that owns the root cause
    (and fails the scenario itself where that is its own rule).
    """

    def __init__(self, reason: str, rule: str, broken: Broken) -> None:
        super().__init__(reason)
        self.reason = reason
        self.rule = rule
        self.broken = broken


@dataclass
class Comparisons:
    """Counts what the running scenario's Then steps compare; the plugin says when a step ``counts``."""

    made: int = 0
    counts: bool = False

    def add(self, number: int = 1) -> None:
        """Count comparisons of the current step."""
        if self.counts:
            self.made += number


# A process runs one scenario at a time.
comparisons = Comparisons()


def expect(
    condition: object,
    message: str,
    *,
    expected: object = "",
    actual: object = "",
    pointer: str = "",
    side: Side = "response",
    exchange: Exchange | None = None,
) -> None:
    """Go on where the condition holds, else raise `Broken` with the other arguments; it counts as a comparison."""
    comparisons.add()
    if not condition:
        raise Broken(message, expected=expected, actual=actual, pointer=pointer, side=side, exchange=exchange)


@contextmanager
def prerequisite(reason: str, *, rule: str, exchange: Exchange | None = None) -> Iterator[None]:
    """Turn what goes wrong inside into `PrerequisiteBroken`, held against ``rule``.

    A failed expectation counts, and an answer that lacks what is read from it (KeyError, TypeError, …). Where the
    contract has found a violation in that answer, that is the root cause, and ``rule`` is left alone. An outcome that
    is raised inside and a target that gives no answer go through as they are.
    """
    counts, comparisons.counts = comparisons.counts, False
    try:
        yield
    except Broken as broken:
        raise PrerequisiteBroken(f"{reason}: {broken.message}", rule, broken) from broken
    except (AssertionError, LookupError, TypeError, ValueError, AttributeError) as error:
        unusable = Broken(reason, expected="a usable response", actual=_described(error), exchange=exchange)
        raise PrerequisiteBroken(reason, rule, unusable) from error
    finally:
        comparisons.counts = counts


def _described(error: Exception) -> str:
    match error:
        case KeyError():
            return f"a response without {error.args[0]}"
        case AssertionError():
            return str(error) or "none"
        case _:
            return f"a response that cannot be read ({type(error).__name__})"


def _short(value: object, limit: int = 300) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= limit else text[: limit - 1] + "…"
