"""A service that chooses freely where the documents are silent violates nothing."""

from unit.contract.open_questions import (
    booking_requests,
    bookings,
    confirmations,
    flights,
    http_of_v3,
    http_of_v4,
    offers,
    orders,
)
from unit.contract.open_questions.stories import Story, against_the_service, each_story

MODULES = (booking_requests, bookings, confirmations, flights, http_of_v3, http_of_v4, offers, orders)
STORIES = {
    f"{module.__name__.rpartition('.')[2]}, {item}": stories
    for module in MODULES
    for item, stories in module.CONFORMING.items()
}


@each_story(STORIES)
def test_undocumented_behaviour_is_not_a_violation(story: Story) -> None:
    assert against_the_service(story) == []
