"""Rules of every version on what belongs to another customer, in traffic of several customers."""

from collections.abc import Iterator

from airworthy.contract.bodies.defect import Defect
from airworthy.contract.conversation import Conversation
from airworthy.contract.conversation.v3.memory import RETRIEVALS, NamedId, named
from airworthy.contract.conversation.v3.resources import SeenBooking, SeenBookingRequest
from airworthy.contract.conversation.v4.resources import SeenOffer, SeenOrder
from airworthy.contract.http.transaction import Transaction, member
from airworthy.contract.rules.coded_rules import conversation_rule


@conversation_rule("V4-FARES-FOREIGN", "response", "getFares")
@conversation_rule("V4-OFFER-FOREIGN", "response", "createOrder")
@conversation_rule("V4-ORDER-FOREIGN", "response", "getOrder", "confirmOrder")
@conversation_rule("V4-RESERVATION-FOREIGN", "response", "getReservation", "findReservation")
@conversation_rule("V23-FOREIGN", "response", "createBookings", "createBookingsV2", "cancelRequest", *RETRIEVALS)
def resource_of_another_customer(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """A request has no effect on what another customer created, and does not show it.

    Only warns: an organisation may have several keys, each with a customer code of its own.
    """
    delivered = transaction.delivered
    if not transaction.accepted or member(delivered, "fares") == [] or member(delivered, "bookings") == []:
        return
    for each in named(transaction):
        owners = set(_owners(each, transaction, conversation)) - {""}
        if owners and all(conversation.customers.is_another(owner, transaction) for owner in owners):
            text = f"the request succeeds with the {each.subject} of another customer"
            expected = "an empty fares array" if transaction.operation == "getFares" else "a rejection"
            yield Defect((), text, expected, str(transaction.status), where="status", soft=True)
            return


def _owners(resource: NamedId, transaction: Transaction, conversation: Conversation) -> Iterator[str]:
    """Yield the callers who created a resource, as far as it was seen."""
    version, key = transaction.url.version, resource.id
    known: list[SeenOffer | SeenOrder | SeenBookingRequest | SeenBooking | None] = []
    match resource.subject:
        case "offer":
            known = [conversation.v4.offer(key)]
        case "order":
            known = [conversation.v4.order(key)]
        case "reservation":
            known = [conversation.v4.order(conversation.v4.order_of_reservation(key))]
        case "booking request":
            known = [conversation.v3.request(version, key)]
        case "reference":
            known = [conversation.v3.booking(version, each) for each in conversation.v3.bookings_of(version, key)]
    yield from (each.caller for each in known if each is not None)
