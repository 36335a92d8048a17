"""Judge a conversation, and show the findings in its last exchange as tests compare them."""

from airworthy.contract import Contract, Conversation, Exchange, Finding

Places = list[tuple[str, str, str]]
"""The side, the rule and the place of each finding."""

Weighed = list[tuple[str, str, bool]]
"""The rule, the place and the softness of each finding."""


def last_findings(*exchanges: Exchange) -> list[Finding]:
    """Judge exchanges as one conversation, and return the findings in the last one."""
    contract, conversation = Contract.load(("v2", "v3", "v4")), Conversation()
    return [contract.judge(each, conversation) for each in exchanges][-1]


def found(*exchanges: Exchange) -> Places:
    """Return the places of the findings in the last exchange of a conversation."""
    return [(each.side, each.rule, each.pointer) for each in last_findings(*exchanges)]


def weighed(*exchanges: Exchange) -> Weighed:
    """Return the findings in the last exchange of a conversation."""
    return [(each.rule, each.pointer, each.soft) for each in last_findings(*exchanges)]


def on_request(*exchanges: Exchange) -> Weighed:
    """Return the findings in the last request of a conversation."""
    return [(each.rule, each.pointer, each.soft) for each in last_findings(*exchanges) if each.side == "request"]


def on_response(*exchanges: Exchange) -> Weighed:
    """Return the findings in the last response of a conversation."""
    return [(each.rule, each.pointer, each.soft) for each in last_findings(*exchanges) if each.side == "response"]
