"""Errors that a user can correct."""

import pytest

from airworthy.errors import did_you_mean


@pytest.mark.parametrize(
    ("known", "advice"),
    [
        (["offer"], "did you mean offer?"),
        (["offer", "offers"], "did you mean offer or offers?"),
        (["offer", "offers", "offered"], "did you mean offer, offers or offered?"),
        (["booking"], "see the list"),
        ([], "see the list"),
    ],
)
def test_similar_names_are_suggested(known: list[str], advice: str) -> None:
    assert did_you_mean("offer", known, "see the list") == advice
