"""A value in a body, with its place: what coded rules look at."""

from airworthy.contract.bodies.body import Json, Pointer
from airworthy.contract.bodies.defect import Defect


class Node:
    """A value in a body with its place, the path from the top of the body; None where the body does not have it."""

    # A node does not refer to the one above: such circles would have to be collected as garbage.
    __slots__ = ("_found", "place", "value")

    def __init__(self, value: Json, place: Pointer = ()) -> None:
        self.value, self.place = value, place
        self._found: dict[str, list[Node]] = {}

    def get(self, *path: str) -> Json:
        """Return the value at a path of names below, or None if there is no such path."""
        value = self.value
        for name in path:
            if not isinstance(value, dict):
                return None
            value = value.get(name)
        return value

    def __truediv__(self, path: str) -> "Node":
        """Return the node at a path of names below, such as ``flight/id``."""
        return self.below(*path.split("/"))

    def below(self, *names: str) -> "Node":
        """Return the node at a path of names below, any of which may contain a slash."""
        return Node(self.get(*names), self.place + names)

    def each(self, path: str) -> list["Node"]:
        """Return the nodes at a path below, such as ``bookings/*``; a ``*`` stands for each object in an array."""
        if not path:
            return [self]
        found = self._found.get(path)
        if found is None:
            above, _, name = path.rpartition("/")
            nodes = self.each(above)
            found = self._found[path] = _items(nodes) if name == "*" else _members(nodes, name)
        return found

    def defect(
        self,
        message: str,
        expected: str = "",
        actual: str = "",
        at: str = "",
        *,
        soft: bool = False,
        tolerable: bool = False,
    ) -> Defect:
        """Return what is wrong with the value, or with what is at a path of names below."""
        place = (*self.place, *at.split("/")) if at else self.place
        return Defect(place, message, expected, actual, soft=soft, tolerable=tolerable)


def _members(objects: list[Node], name: str) -> list[Node]:
    return [Node(each.value.get(name), (*each.place, name)) for each in objects if isinstance(each.value, dict)]


def _items(arrays: list[Node]) -> list[Node]:
    return [
        Node(value, (*array.place, index))
        for array in arrays
        if isinstance(array.value, list)
        for index, value in enumerate(array.value)
        if isinstance(value, dict)
    ]
