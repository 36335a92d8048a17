"""Steps on things that must grow old first; the plugin starts them first where time has to be waited for."""

from pytest_bdd import given, parsers

from airworthy.target.ageing import Ageing
from conformance.offer_desk import Stored
from conformance.order_desk import Ordered
from conformance.scene import Scene


@given(parsers.re(r"(?P<what>an offer stored (?:more than|almost) 30 minutes ago)"))
def _an_aged_offer(ageing: Ageing, scene: Scene, what: str) -> None:
    stored = ageing.aged(what)
    assert isinstance(stored, Stored)
    scene.wanted, scene.stored, scene.answer = stored.wanted, stored, stored.answer


@given(parsers.re(r"(?P<what>an order created in time from an offer stored more than 30 minutes ago)"))
def _an_order_of_an_aged_offer(ageing: Ageing, scene: Scene, what: str) -> None:
    order = ageing.aged(what)
    assert isinstance(order, Ordered)
    scene.order, scene.stored, scene.answer = order, order.stored, order.answer
