"""Dialects: named sets of choices where the documents are silent."""

from dataclasses import field
from typing import Any


def choice(default: Any, question: str, subject: str) -> Any:  # noqa: ANN401 - the type of a dataclass field is that of its value
    """Declare an open choice as the field of a dataclass: its default, the id of the open question and the subject."""
    return field(default=default, metadata={"question": question, "subject": subject})
