"""A dialect: the choices that one service makes where the documents are silent."""

from dataclasses import dataclass

from airworthy.sandbox.dialects.choices import Choices


@dataclass(frozen=True, slots=True)
class Dialect:
    """A named set of choices."""

    name: str
    description: str
    choices: Choices
