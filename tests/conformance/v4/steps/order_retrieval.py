"""Steps that retrieve orders and reservations."""

from pytest_bdd import parsers

from conformance.scenario_context import ScenarioContext
from conformance.service_client import ServiceClient
from conformance.step_table import when
from conformance.v4 import request_bodies as bodies


@when("the client retrieves the order")
def _retrieve_order(service_client: ServiceClient, context: ScenarioContext) -> None:
    context.response = service_client.send(bodies.get_order(context.ordered.id))


@when("the client retrieves an unknown order")
def _retrieve_unknown_order(service_client: ServiceClient, context: ScenarioContext) -> None:
    context.response = service_client.send(bodies.get_order(bodies.another_id(context.ordered.id)))


@when("the second organisation retrieves the order")
def _retrieve_order_as_the_second_organisation(second_service_client: ServiceClient, context: ScenarioContext) -> None:
    context.response = second_service_client.send(bodies.get_order(context.ordered.id))


@when("the client retrieves the reservation")
def _retrieve_reservation(service_client: ServiceClient, context: ScenarioContext) -> None:
    context.response = service_client.send(bodies.get_reservation(context.ordered.reservation_id))


@when("the client retrieves the reservation by its order")
def _retrieve_reservation_by_order(service_client: ServiceClient, context: ScenarioContext) -> None:
    context.response = service_client.send(bodies.find_reservation(context.ordered.id))


@when("the client retrieves an unknown reservation")
def _retrieve_unknown_reservation(service_client: ServiceClient, context: ScenarioContext) -> None:
    unknown = bodies.another_id(context.ordered.reservation_id)
    context.response = service_client.send(bodies.get_reservation(unknown))


@when("the client retrieves the reservation of an unknown order")
def _retrieve_reservation_of_unknown_order(service_client: ServiceClient, context: ScenarioContext) -> None:
    context.response = service_client.send(bodies.find_reservation(bodies.another_id(context.ordered.id)))


@when(parsers.re(r"the second organisation retrieves the reservation by (?P<key>its id|its order)"))
def _retrieve_reservation_as_the_second_organisation(
    second_service_client: ServiceClient, context: ScenarioContext, key: str
) -> None:
    order = context.ordered
    draft = bodies.get_reservation(order.reservation_id) if key == "its id" else bodies.find_reservation(order.id)
    context.response = second_service_client.send(draft)


@when("the client retrieves a reservation without naming its order")
def _retrieve_reservation_without_order(service_client: ServiceClient, context: ScenarioContext) -> None:
    context.response = service_client.send(bodies.find_reservation(context.ordered.id).with_query(orderId=None))
