"""The outcomes that a step can give its scenario: raise one of these, or use `expect` and `prerequisite`.

::

    raise Untested("the profile names no route that is sold out")
    raise NotApplicable("the profile says that the service sells no cabin bags")
    expect(status == 401, "the service must reject a wrong key", expected="status 401", actual=f"status {status}",
           pointer="status", exchange=exchange)
    with prerequisite("no offer could be stored", rule="V4-OFFER-FIELDS"):
        ...
    expect_situation(response.rejected, "routes.sold_out", "has flights that Get Offer still sells")

A scenario that ends without an outcome passes, unless the contract has found a violation of its rule.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from airworthy.contract.bodies import wording
from airworthy.contract.http.exchange import Exchange

_LONGEST_SHOWN: Final = 300


class Outcome(Exception):  # noqa: N818  an outcome is not an error
    """Ends a scenario with a particular verdict, for a reason."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Untested(Outcome):
    """The rule applies but could not be exercised.

    ``reason`` is the root cause and, where there is one, the profile key that would remove it. Use the same words for
    the same cause: the report groups rules by reason.
    """


class SeatsGone(Untested):
    """Seats that the scenario needs are gone; another attempt with flights that are searched anew may succeed.

    The reason is completed with what the service says in the ``exchange``.
    """

    def __init__(self, reason: str, exchange: Exchange | None = None) -> None:
        super().__init__(reason)
        self.exchange = exchange


class NotApplicable(Outcome):
    """The rule does not apply, because the profile declares a capability absent."""


class ExpectationError(AssertionError):
    """A response violates a rule: the expected value, the actual value, and the location.

    The texts are ours: put values of a response into them with `airworthy.contract.wording.shown` only.

    ``pointer`` is as in `Finding`: a JSON Pointer into the body, ``status``, ``header:NAME``, ``query:NAME``, ``path``.
    """

    def __init__(
        self,
        message: str,
        *,
        expected: object = "",
        actual: object = "",
        pointer: str = "",
        exchange: Exchange | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.expected = _short(expected)
        self.actual = _short(actual)
        self.pointer = pointer
        self.exchange = exchange


class UnexpectedError(Exception):
    """An internal error of the suite. Its text is ours, or was redacted."""


class PrerequisiteFailed(Outcome):
    """A prerequisite of the scenario failed, because the service violates another rule.

    The scenario is ``untested`` with ``reason``, and the failure counts as a violation of ``rule``, the root cause. If
    ``rule`` is the scenario's own rule, the scenario fails.
    """

    def __init__(self, reason: str, rule: str, expectation: ExpectationError) -> None:
        super().__init__(reason)
        self.rule = rule
        self.expectation = expectation


@dataclass
class Comparisons:
    """Counts the comparisons of the running scenario. The plugin sets ``is_counting`` during its Then steps."""

    total: int = 0
    is_counting: bool = False

    def add(self, number: int = 1) -> None:
        """Count comparisons of the current step."""
        if self.is_counting:
            self.total += number


# A process runs one scenario at a time.
comparisons = Comparisons()


def expect(
    condition: object,
    message: str,
    *,
    expected: object = "",
    actual: object = "",
    pointer: str = "",
    exchange: Exchange | None = None,
) -> None:
    """Count a comparison, and raise `ExpectationError` with the other arguments if the condition is false."""
    comparisons.add()
    if not condition:
        raise ExpectationError(message, expected=expected, actual=actual, pointer=pointer, exchange=exchange)


def expect_situation(shown: object, key: str, instead: str) -> None:
    """Raise Untested unless the target shows the situation for which the profile has a key: ``routes.sold_out``.

    A key that names something else is a mistake of the profile, not a violation by the service. ``instead`` completes
    the sentence "[routes.sold_out] of the profile …", with the same words in every scenario.
    """
    if not shown:
        raise Untested(f"[{key}] of the profile {instead}")


@contextmanager
def prerequisite(reason: str, *, rule: str, exchange: Exchange | None = None) -> Iterator[None]:
    """Raise `PrerequisiteFailed` with ``rule`` if the ``with`` block fails.

    The block fails if an expectation fails, or if a response does not contain what the block reads (KeyError,
    TypeError, …). If the contract has found a violation in that response, that violation is the root cause instead of
    ``rule``. Outcomes and errors of the target, such as a missing response, are not converted.
    """
    was_counting, comparisons.is_counting = comparisons.is_counting, False
    try:
        yield
    except ExpectationError as error:
        raise PrerequisiteFailed(f"{reason}: {error.message}", rule, error) from error
    except (AssertionError, LookupError, TypeError, ValueError, AttributeError) as error:
        unusable = ExpectationError(
            reason, expected="a usable response", actual=_description(error, exchange), exchange=exchange
        )
        raise PrerequisiteFailed(reason, rule, unusable) from error
    finally:
        comparisons.is_counting = was_counting


def _description(error: Exception, exchange: Exchange | None) -> str:
    match error:
        case AssertionError() if exchange and exchange.response:
            return f"status {exchange.response.status}"
        case KeyError():
            name = str(error.args[0])
            return f"a response without {name if wording.is_name(name) else 'a member'}"
        case _:
            return f"a response that cannot be read ({type(error).__name__})"


def _short(value: object) -> str:
    text = value if isinstance(value, str) else wording.shown(value)
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…"
