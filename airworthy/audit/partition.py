"""Group exchanges that are linked, directly or through others."""

from collections.abc import Hashable, Iterator
from itertools import chain
from typing import Generic, TypeVar

from airworthy.contract.links import Links

Member = TypeVar("Member", bound=Hashable)


class Partition(Generic[Member]):
    """A partition of members into groups whose members are linked, directly or through others (union-find)."""

    def __init__(self) -> None:
        self._members: list[Member] = []
        self._parents: list[int] = []
        self._first_by_name: dict[str, int] = {}
        self._by_secret: dict[str, dict[bool, list[int]]] = {}

    def add(self, member: Member, links: Links) -> None:
        """Add a member with its links."""
        index = len(self._members)
        self._members.append(member)
        self._parents.append(index)
        for name in (*links.names, *((links.caller,) if links.caller else ())):
            self._join(index, self._first_by_name.setdefault(name, index))
        if links.secret:
            secret, to_provider = links.secret
            self._by_secret.setdefault(secret, {}).setdefault(to_provider, []).append(index)

    def __iter__(self) -> Iterator[list[Member]]:
        """Yield the groups in the order of their first members; a group keeps the order in which it was added."""
        for receivers in self._by_secret.values():
            if len(receivers) > 1:
                first, *others = chain(*receivers.values())
                for other in others:
                    self._join(first, other)
        groups: dict[int, list[Member]] = {}
        for index, each in enumerate(self._members):
            groups.setdefault(self._root(index), []).append(each)
        return iter(groups.values())

    def _join(self, one: int, other: int) -> None:
        roots = self._root(one), self._root(other)
        # The earliest member is the root, so that groups are yielded in the order of their first members.
        self._parents[max(roots)] = min(roots)

    def _root(self, index: int) -> int:
        while self._parents[index] != index:
            self._parents[index] = index = self._parents[self._parents[index]]
        return index
