"""Secrets in a profile are not shown."""

import pytest

from airworthy.errors import UsageError
from airworthy.target.profile_file import load_profile
from airworthy.target.secret import Secret

from .profiles import CANARY, ENVIRON, MINIMAL, Write


@pytest.mark.parametrize(
    "text",
    [
        MINIMAL.replace('{ env = "V4_KEY" }', f'["{CANARY}"]'),
        MINIMAL.replace('{ env = "V4_KEY" }', f'{{ env = "{CANARY}" }}'),
        f'base_url = "https://flights.example"\nv4 = "{CANARY}"\n',
        f'environment = "production"\n{MINIMAL}'.replace('{ env = "V4_KEY" }', f'"{CANARY}"'),
    ],
    ids=["key is an array", "variable name is the secret", "table is the secret", "literal in production"],
)
def test_error_never_shows_a_secret(write: Write, text: str) -> None:
    with pytest.raises(UsageError) as caught:
        load_profile(write(text), ENVIRON)
    assert CANARY not in str(caught.value)


def test_secret_written_in_the_file_adds_a_note(write: Write) -> None:
    profile = load_profile(write(MINIMAL.replace('{ env = "V4_KEY" }', '"test-key"')), ENVIRON)
    assert "[v4] key is written in the file" in profile.notes[0]


def test_secret_is_not_shown_by_str_and_repr() -> None:
    secret = Secret(CANARY, "V4_KEY")
    assert f"{secret} {secret!r} {[secret]}" == "$V4_KEY Secret($V4_KEY) [Secret($V4_KEY)]"
    with pytest.raises(TypeError):
        secret.__reduce__()
