"""The questions that the documents leave open, by the ids of the observations."""

import json
from functools import cache
from pathlib import Path
from typing import Final

_FILE: Final = Path(__file__).parent / "open_questions.json"


def open_question(open_id: str) -> str:
    """Return an open question, such as that of ``OPEN-07``; empty if the id is unknown."""
    return _questions().get(open_id, "")


@cache
def _questions() -> dict[str, str]:
    questions: dict[str, str] = json.loads(_FILE.read_text(encoding="utf-8"))
    return questions
