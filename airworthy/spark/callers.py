"""Find which callers have to be judged together, by the same links as the local audit.

A node stands for the exchanges that are linked by themselves: those of one caller, or, without a credential, those with
the same first name. Only names that several nodes share are brought to the driver, as digests.
"""

import hashlib
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from airworthy.audit.partition import Partition
from airworthy.contract.links import Links

_DIGEST_SIZE: Final = 16
_NAME, _TO_SERVICE, _TO_PROVIDER = b"n", b"s", b"p"


class NodeLinks(NamedTuple):
    """The node of an exchange, and what may link it to other nodes.

    ``alone`` is set if the exchange belongs to no other one of its node unless the node is linked: then it is the key
    of a group of its own. ``names`` are digests with their sort as the first byte.
    """

    node: bytes
    alone: bytes | None
    names: tuple[bytes, ...]


def node_links(links: Links, place: str) -> NodeLinks:
    """Return the node and the digests of an exchange; ``place`` identifies it if nothing else does."""
    names = [_NAME + digest(name) for name in links.names]
    if links.secret:
        secret, to_provider = links.secret
        names.append((_TO_PROVIDER if to_provider else _TO_SERVICE) + digest(secret))
    if links.caller:
        return NodeLinks(digest(links.caller), None, tuple(names))
    if links.names:
        return NodeLinks(digest(min(links.names)), None, tuple(names))
    alone = digest(place)
    # All exchanges with one secret are one node: their number must not burden the driver.
    return NodeLinks(digest(repr(names)), alone, tuple(names)) if names else NodeLinks(alone, alone, ())


def components(shared: Iterable[tuple[bytes, bytes]]) -> Mapping[bytes, bytes]:
    """Return the common key of every node that is linked to another one, from pairs of a name and a node."""
    partition: Partition[bytes] = Partition()
    for name, node in shared:
        sort, text = name[:1], name[1:].hex()
        if sort == _NAME:
            partition.add(node, Links(node.hex(), frozenset((text,))))
        else:
            partition.add(node, Links(node.hex(), secret=(text, sort == _TO_PROVIDER)))
    groups = (set(group) for group in partition)
    return {node: key for group in groups if len(group) > 1 for key in (min(group),) for node in group}


def digest(text: str) -> bytes:
    """Return a digest of 16 bytes, which identifies a text without showing it."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_DIGEST_SIZE).digest()
