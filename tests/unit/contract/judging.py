"""Judge a conversation, and show the findings in its last exchange as tests compare them."""

from airworthy.contract import Contract, Conversation, Exchange, Finding

Weighed = list[tuple[str, str, bool]]
"""The rule, the place and the softness of each finding."""


def last_findings(contract: Contract, *exchanges: Exchange) -> list[Finding]:
    """Judge exchanges as one conversation, and return the findings in the last one."""
    conversation = Conversation()
    return [contract.judge(each, conversation) for each in exchanges][-1]


def weighed(contract: Contract, *exchanges: Exchange) -> Weighed:
    """Return the findings in the last exchange of a conversation."""
    return [(each.rule, each.pointer, each.soft) for each in last_findings(contract, *exchanges)]


def on_request(contract: Contract, *exchanges: Exchange) -> Weighed:
    """Return the findings in the last request of a conversation."""
    found = last_findings(contract, *exchanges)
    return [(each.rule, each.pointer, each.soft) for each in found if each.side == "request"]


def on_response(contract: Contract, *exchanges: Exchange) -> Weighed:
    """Return the findings in the last response of a conversation."""
    found = last_findings(contract, *exchanges)
    return [(each.rule, each.pointer, each.soft) for each in found if each.side == "response"]
