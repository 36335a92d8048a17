"""Card numbers, recognised wherever they stand: the service may never be sent one."""

import re

from airworthy.contract.body import Json

LONGEST_NUMBER = 19
_REDACTED = re.compile(r"9{14,19}")
_RUN = re.compile(r"(?<![0-9A-Za-z_-])[0-9]+(?:[ -][0-9]+)*(?![0-9A-Za-z_-])")
_BRANDS = re.compile(
    r"4[0-9]{15}(?:[0-9]{3})?|5[1-5][0-9]{14}|2(?:22[1-9]|2[3-9][0-9]|[3-6][0-9]{2}|7[01][0-9]|720)[0-9]{12}"
    r"|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|6(?:011|5[0-9]{2})[0-9]{12}|35(?:2[89]|[3-8][0-9])[0-9]{12}"
    r"|62[0-9]{14,17}"
)


def holds_card_number(value: Json) -> bool:
    """Whether a text or a number holds a card number: a known brand's prefix and length, and Luhn's check digit.

    Digits may be grouped by blanks or hyphens; digits beside letters are no card number (ids, tokens).
    Nothing but nines is what redaction leaves of one.
    """
    if isinstance(value, bool) or not isinstance(value, str | int):
        return False
    return any(_holds(run.group()) for run in _RUN.finditer(str(value)))


def _holds(run: str) -> bool:
    groups = re.split("[ -]", run)
    for first in range(len(groups)):
        digits = ""
        for group in groups[first:]:
            digits += group
            if len(digits) > LONGEST_NUMBER:
                break
            if _REDACTED.fullmatch(digits) or (_BRANDS.fullmatch(digits) and _luhn(digits)):
                return True
    return False


def _luhn(digits: str) -> bool:
    doubled = (int(digit) * (1 + index % 2) for index, digit in enumerate(reversed(digits)))
    return sum(sum(divmod(value, 10)) for value in doubled) % 10 == 0
