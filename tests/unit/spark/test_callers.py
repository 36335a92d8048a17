"""Callers are linked as in the local audit."""

from hypothesis import given
from hypothesis import strategies as st

from airworthy.audit.partition import Partition
from airworthy.contract.links import Links
from airworthy.spark.callers import components, node_links

NAMES = st.frozensets(st.sampled_from("abcdef"), max_size=3)
LINKS = st.builds(
    Links,
    caller=st.sampled_from(["", "one", "two", "three"]),
    names=NAMES,
    secret=st.none() | st.tuples(st.sampled_from(["key", "token"]), st.booleans()),
)


def groups_of_nodes(exchanges: list[Links]) -> set[frozenset[int]]:
    """The groups that the keys of the nodes make."""
    linked = [node_links(each, str(index)) for index, each in enumerate(exchanges)]
    pairs = {(name, each.node) for each in linked for name in each.names}
    nodes = {digest: {node for name, node in pairs if name[1:] == digest} for digest in {name[1:] for name, _ in pairs}}
    sorts = {digest: {name for name, _ in pairs if name[1:] == digest} for digest in nodes}
    # Spark keeps the names that have several nodes or several sorts.
    kept = {digest for digest in nodes if len({pair for pair in pairs if pair[0][1:] == digest}) > 1}
    assert all(len(nodes[digest]) > 1 or len(sorts[digest]) > 1 for digest in kept)
    keys = components(pair for pair in pairs if pair[0][1:] in kept)
    found: dict[bytes, set[int]] = {}
    for index, each in enumerate(linked):
        found.setdefault(keys.get(each.node) or each.alone or each.node, set()).add(index)
    return set(map(frozenset, found.values()))


@given(st.lists(LINKS, max_size=10))
def test_groups_are_those_of_the_local_audit(exchanges: list[Links]) -> None:
    partition = Partition[int]()
    for index, each in enumerate(exchanges):
        partition.add(index, each)

    assert groups_of_nodes(exchanges) == set(map(frozenset, partition))


def test_nodes_do_not_show_what_they_stand_for() -> None:
    linked = node_links(Links("host caller secret", frozenset(["order 1"]), ("secret", False)), "")

    assert b"secret" not in b"".join([linked.node, *linked.names])
    assert linked.alone is None


def test_names_of_one_caller_do_not_burden_the_driver() -> None:
    assert components([]) == {}
    assert components([(b"nX", b"1")]) == {}
