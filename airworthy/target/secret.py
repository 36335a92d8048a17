"""A value that must never be shown: it hides itself in every text that it could slip into."""

from typing import NoReturn, final


@final
class Secret:
    """Holds a secret; only `reveal` gives it away.

    ``name`` is what is shown instead: the environment variable that it came from, else three dots.
    Two secrets are equal when what they hide is. A secret is never pickled.
    """

    __slots__ = ("_name", "_value")

    def __init__(self, value: str, name: str = "") -> None:
        self._value = value
        self._name = name

    @property
    def name(self) -> str:
        """What is shown instead of the value."""
        return f"${self._name}" if self._name else "…"

    @property
    def from_environment(self) -> bool:
        """Whether it came from the environment (and not as a literal out of a file)."""
        return bool(self._name)

    def reveal(self) -> str:
        """Return the value, for the wire only."""
        return self._value

    def __repr__(self) -> str:
        return f"Secret({self.name})"

    def __str__(self) -> str:
        return self.name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._value == self._value

    def __hash__(self) -> int:
        return hash(self._value)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a secret is not pickled")
