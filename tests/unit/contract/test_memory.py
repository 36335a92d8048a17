"""The memory of a conversation is bounded."""

from airworthy.contract import Contract, Conversation, InMemoryStore
from unit.contract.examples import RETURNED, changed, exchange, put


def test_memory_drops_the_least_recently_used_entry() -> None:
    memory = InMemoryStore(limit=3)
    for key in "abc":
        memory.put("order", key, key)
    assert memory.get("order", "a") == "a"
    memory.put("order", "d", "d")
    assert [memory.get("order", key) for key in "abcd"] == ["a", None, "c", "d"]
    assert len(memory) == 3


def test_memory_of_a_conversation_is_bounded(contract: Contract) -> None:
    memory = InMemoryStore(limit=10)
    conversation = Conversation(memory)
    for number in range(50):
        contract.judge(exchange("getOffer", returned=put("id", f"5f0c1f6e-3f7e-4a0e-9f43-{number:012}")), conversation)
    for number in range(50):
        order = changed(RETURNED["createOrder"], put("id", f"c7a1b2d3-1c2b-4d5e-8f90-{number % 10:012}"))
        contract.judge(exchange("createOrder", returned=order), conversation)
    assert len(memory) == 2 * 10 + 5  # offers, orders; a fare, a key, its customer, the searches, the service
