"""Dialects whose choices are drawn at random, such as ``random-7``: always the same ones for the same number."""

import random
import re

from airworthy.sandbox.dialects.choices import Choices, questions
from airworthy.sandbox.dialects.dialect import Dialect

# Few seats leave rules untested, and a dialect of their own has them.
_KEPT = ("seats_on_sale",)


def drawn(name: str) -> Dialect | None:
    """Return the dialect ``random-NUMBER`` with the behaviours that the number draws; None for any other name."""
    found = re.fullmatch(r"random-([0-9]{1,9})", name)
    if not found:
        return None
    draw = random.Random(int(found[1]))  # noqa: S311  nothing is secret
    behaviours = {each.name: draw.choice(each.behaviours) for each in questions() if each.name not in _KEPT}
    if behaviours["code_case"] == "lower case":
        # No service rejects the codes that it returns.
        behaviours["lower_case_codes"] = "accepted"
    return Dialect(name, f"Choices drawn at random by the number {found[1]}", Choices(**behaviours))  # type: ignore[arg-type]
