"""Dialects: named sets of choices where the documents are silent."""

from dataclasses import dataclass, field
from typing import Any, TypeVar, dataclass_transform, get_args, get_type_hints

Group = TypeVar("Group")


def choice(question: str, subject: str, default: Any = None) -> Any:  # noqa: ANN401 - the type of a field is that of its value
    """Declare an open choice in a class of `open_choices`: the id of its question, and the subject.

    The default is the first of the behaviours that its type lists, unless it is given.
    """
    return {"question": question, "subject": subject, "default": default}


@dataclass_transform(frozen_default=True)
def open_choices(group: type[Group]) -> type[Group]:
    """Make a class of open choices a frozen dataclass."""
    for name, behaviours in get_type_hints(group).items():
        declared = getattr(group, name)
        default = get_args(behaviours)[0] if declared["default"] is None else declared["default"]
        setattr(group, name, field(default=default, metadata=declared))
    return dataclass(frozen=True, slots=True)(group)
