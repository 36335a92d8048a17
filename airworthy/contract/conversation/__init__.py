"""What earlier exchanges of the same traffic have shown."""

from airworthy.contract.conversation.conversation import Conversation

__all__ = ["Conversation"]
