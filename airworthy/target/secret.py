"""A value that ``str`` and ``repr`` do not show."""

from typing import NoReturn, final


@final
class Secret:
    """A secret; only `reveal` returns its value.

    ``name`` is shown instead: the environment variable that it was read from, or three dots. Secrets are equal if
    their values are. A secret cannot be pickled.
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
        """Whether it was read from the environment, not from a file."""
        return bool(self._name)

    def reveal(self) -> str:
        """Return the value, for requests only."""
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
        raise TypeError("a secret cannot be pickled")
