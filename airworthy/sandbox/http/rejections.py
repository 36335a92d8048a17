"""Every rejection of the sandbox: its name, status and message, in one table.

Handlers reject a request by name. A status that the documents leave open is the name of a choice of the dialect. A body
that violates its schema is rejected under the name ``operation:/pointer:keyword``, which has an entry only if its
status is open.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from types import MappingProxyType
from typing import Any, Final

from airworthy.sandbox.dialects.choices import Choices


@dataclass(frozen=True, slots=True)
class Rejection:
    """A status, or the name of the choice that decides it, and the message in English and Spanish.

    ``success`` is the body of the successful response that the documents define for this case (status 200), or that the
    dialect chooses instead of a status.
    """

    status: int | str
    message: str
    spanish: str
    success: Mapping[str, Any] | None = None


_NO_OFFERS: Final[Mapping[str, Any]] = {"offers": []}
_NO_FARES: Final[Mapping[str, Any]] = {"fares": []}
_NO_BAGGAGE: Final[Mapping[str, Any]] = {"fareBaggageOptions": []}
# Schema keywords about the number of values: the documents leave their status in v3 and v2 open (OPEN-29).
COUNTING = frozenset({"maxItems", "minItems", "minProperties"})
FAILED_INDICATOR: Final = "/three_d_secure/electronic_commerce_indicator: expected one of 05, 06, 01, 02"
"""The detail of a rejection of a failed authentication."""
BROKEN_RULE = Rejection("broken_rule", "The request breaks a rule", "La petición incumple una regla")
BAD_REQUEST = Rejection(400, "The payload does not match the expected schema", "La petición no cumple el esquema")

REJECTIONS: Mapping[str, Rejection] = MappingProxyType(
    {
        # Everywhere
        "key-missing": Rejection("key_missing", "The API key is missing", "Falta la clave de API"),
        "key-wrong": Rejection(401, "The API key is wrong", "La clave de API no es correcta"),
        "key-part": Rejection(401, "The API key is wrong", "La clave de API no es correcta"),
        "key-other-case": Rejection(401, "The API key is wrong", "La clave de API no es correcta"),
        "key-wrong-prefixed": Rejection(401, "The API key is wrong", "La clave de API no es correcta"),
        "key-prefixed": Rejection("bearer", "Send the API key without a prefix", "La clave de API debe ir sola"),
        "accept": Rejection("other_accept", "Responses are JSON only", "Las respuestas son solo JSON"),
        "content-type": Rejection("other_content_type", "Bodies are JSON only", "Los cuerpos son solo JSON"),
        "body-not-json": Rejection(400, "The body is not JSON", "El cuerpo no es JSON"),
        "body-too-large": Rejection(413, "The body is too large", "El cuerpo es demasiado grande"),
        "path-unknown": Rejection("unknown_path", "There is no such resource", "El recurso no existe"),
        "method-unknown": Rejection("unknown_method", "There is no such operation", "La operación no existe"),
        "version-removed": Rejection("removed_versions", "This version was removed", "Esta versión se ha retirado"),
        "fields-unknown": Rejection("unknown_request_fields", "Unknown fields were sent", "Hay campos desconocidos"),
        "customer-code-elsewhere": Rejection(
            "customer_code_elsewhere", "customerCode is not accepted here", "customerCode no se admite aquí"
        ),
        "code-lower-case": Rejection(
            "lower_case_codes", "Codes must be in upper case", "Los códigos van en mayúsculas"
        ),
        "id-malformed": Rejection("malformed_id", "The id is not a UUID", "El id no es un UUID"),
        # Search and offers
        "customer-code-unknown": Rejection(
            "customer_code_unknown", "The customerCode is unknown", "customerCode desconocido", _NO_OFFERS
        ),
        "customer-code-unknown-at-offer": Rejection(404, "The customerCode is unknown", "customerCode desconocido"),
        "infants-over-adults": Rejection(400, "There are more infants than adults", "Hay más bebés que adultos"),
        "inbound-missing": Rejection(
            400, "A round trip needs an inboundSegment", "Ida y vuelta necesita inboundSegment"
        ),
        "inbound-left-out": Rejection(
            "one_way_inbound_left_out",
            "inboundSegment is required; send null for one way",
            "Falta inboundSegment (null)",
        ),
        "inbound-sent": Rejection(
            "one_way_inbound_sent", "A one-way trip has no inboundSegment", "Solo ida no lleva inboundSegment"
        ),
        "search-class": Rejection(200, "Only ECONOMY is sold", "Solo se vende ECONOMY", _NO_OFFERS),
        "search-edge": Rejection(
            "search_edge", "The route or date is not sold", "Ruta o fecha no disponible", _NO_OFFERS
        ),
        "class-unsupported": Rejection("offer_other_class", "Only ECONOMY is sold", "Solo se vende ECONOMY", {}),
        "itinerary-gone": Rejection(
            "itinerary_gone", "The itinerary is no longer available", "El itinerario ya no está disponible"
        ),
        "offer-unknown": Rejection(404, "The offer was not found", "No se encuentra la oferta"),
        "offer-foreign": Rejection(404, "The offer was not found", "No se encuentra la oferta"),
        "fares-id-malformed": Rejection("fares_malformed_id", "The id is not a UUID", "El id no es un UUID"),
        "fares-missing": Rejection(200, "The offer was not found", "No se encuentra la oferta", _NO_FARES),
        "fares-foreign": Rejection(200, "The offer was not found", "No se encuentra la oferta", _NO_FARES),
        "fares-expired": Rejection(200, "The offer has expired", "La oferta ha caducado", _NO_FARES),
        "baggage-expired": Rejection("baggage_expired", "The offer has expired", "La oferta ha caducado", _NO_BAGGAGE),
        "baggage-foreign": Rejection(
            "baggage_foreign", "The offer was not found", "No se encuentra la oferta", _NO_BAGGAGE
        ),
        # Orders
        "query-missing": Rejection("missing_query", "offerId and fareId are required", "Faltan offerId y fareId"),
        "offer-expired": Rejection("order_expired_offer", "The offer has expired", "La oferta ha caducado"),
        "fare-foreign": Rejection(
            "order_foreign_fare", "The fare does not belong to this offer", "La tarifa no es de esta oferta"
        ),
        "birth-date-missing": Rejection(
            400, "Children and infants need a birthDate", "Niños y bebés necesitan birthDate"
        ),
        "adult-birth-date-missing": Rejection(
            400, "The supplier requires the birthDate of adults", "El proveedor exige birthDate de los adultos"
        ),
        "adult-birth-date-unlisted": Rejection(
            "unlisted_birth_date", "Adults need a birthDate", "Los adultos necesitan birthDate"
        ),
        "document-expired": Rejection(400, "expirationDate must be in the future", "expirationDate debe ser futura"),
        "identification-incomplete": Rejection(
            400, "The identification is incomplete", "La identificación no está completa"
        ),
        "locality-missing": Rejection(
            "identification_required", "This fare needs a localityCodeOfResidency", "Falta localityCodeOfResidency"
        ),
        "baggage-pieces": Rejection(400, "The number of pieces is not valid", "Número de piezas imposible"),
        "identification-missing": Rejection(
            "identification_required", "An identification of an offered type is needed", "Falta la identificación"
        ),
        "identification-unlisted": Rejection(
            "unlisted_identification", "This offer takes no identification", "Esta oferta no admite identificación"
        ),
        "baggage-per-passenger": Rejection(
            400, "selectedBaggage needs one item per passenger", "selectedBaggage: uno por pasajero"
        ),
        "baggage-beyond-options": Rejection(
            "baggage_beyond_options", "This baggage is not offered", "Este equipaje no se ofrece"
        ),
        "passenger-numbers": Rejection(
            400, "Passenger numbers are not sequential", "Los números de pasajero no son correlativos"
        ),
        "passenger-mismatch": Rejection(
            "passenger_mismatch", "The passengers do not match the offer", "Los pasajeros no coinciden con la oferta"
        ),
        "payment-method-one": Rejection(
            400, "Exactly one payment method is needed", "Se necesita un solo método de pago"
        ),
        "payment-method-false": Rejection(
            "payment_method_false", "Send the chosen payment method only", "Envíe solo el método elegido"
        ),
        "balance-ordered": Rejection("balance_not_enabled", "Balance is not enabled", "El saldo no está habilitado"),
        # Confirmation
        "order-unknown": Rejection(404, "The order was not found", "No se encuentra el pedido"),
        "order-foreign": Rejection("foreign_resource", "The order was not found", "No se encuentra el pedido"),
        "order-booked": Rejection(
            "duplicate_confirmation", "The order is already confirmed", "El pedido ya está confirmado"
        ),
        "order-failed": Rejection("failed_order", "The order has failed", "El pedido ha fallado"),
        "offer-expired-meanwhile": Rejection(
            "confirm_after_offer_expired", "The offer has expired since the order was created", "La oferta ha caducado"
        ),
        "order-too-old": Rejection(409, "The order was not confirmed in time", "El pedido no se confirmó a tiempo"),
        "method-mismatch": Rejection(
            "wrong_confirmation", "The payment method differs from the order's", "El método de pago no es el del pedido"
        ),
        "payment-reference-one": Rejection(
            "wrong_confirmation",
            "Send exactly one of payment_intent_id and payment_method",
            "Envíe payment_intent_id o payment_method",
        ),
        "balance-alone": Rejection(
            "wrong_confirmation", "Balance excludes payment references", "El saldo no lleva referencia de pago"
        ),
        "authentication-alone": Rejection(
            "wrong_confirmation",
            "three_d_secure requires payment_method",
            "three_d_secure solo va con payment_method",
        ),
        "indicator-mismatch": Rejection(
            "mastercard_indicators", "Indicator 02 is Mastercard's", "El indicador 02 es de Mastercard"
        ),
        "authentication-failed": Rejection(
            "failed_authentication", "Leave out a failed authentication", "Omita una autenticación fallida"
        ),
        "balance-not-enabled": Rejection(403, "Balance is not enabled", "El saldo no está habilitado"),
        "payment-attempted": Rejection(
            "attempted_authentication", "The authentication was only attempted", "La autenticación fue solo un intento"
        ),
        "payment-not-ready": Rejection(
            406, "The payment needs verification or cannot be captured", "El pago necesita verificación"
        ),
        "intent-incomplete": Rejection(
            "intent_without_method", "The payment has no payment method", "El pago no tiene método de pago"
        ),
        "payment-rejected": Rejection(422, "The payment was rejected", "El pago ha sido rechazado"),
        "payment-amount": Rejection(
            422, "The payment does not match the order's amount", "El pago no coincide con el importe"
        ),
        "payment-currency": Rejection(422, "The payment is not in EUR", "El pago no es en EUR"),
        # Reads
        "reservation-unknown": Rejection(404, "The reservation was not found", "No se encuentra la reserva"),
        "reservation-foreign": Rejection(
            "foreign_resource", "The reservation was not found", "No se encuentra la reserva"
        ),
        "reservation-not-yet": Rejection(
            "reservation_before_booking", "The order has no reservation", "El pedido no tiene reserva"
        ),
        "order-query-missing": Rejection("reservation_without_query", "orderId is required", "Falta orderId"),
        # v3 and v2: everywhere
        "token-missing": Rejection("key_missing", "The token is missing", "Falta el token"),
        "token-wrong": Rejection(401, "The token is wrong", "El token no es correcto"),
        "token-other-case": Rejection(401, "The token is wrong", "El token no es correcto"),
        "token-form": Rejection(
            401, "The token has the wrong form for this operation", "El token lleva otra forma aquí"
        ),
        "gender-unknown": Rejection("unknown_words", "The gender is not valid", "Género desconocido"),
        "date-malformed": Rejection("unknown_words", "The date is not valid", "Esto no es una fecha"),
        "token-wrong-bare": Rejection("wrong_bare_token", "The token is wrong", "El token no es correcto"),
        # v3 and v2: flights
        "one-day-window": Rejection("one_day_window", "The window is empty", "El intervalo está vacío"),
        "window-too-long": Rejection("long_window", "The window is too long", "El intervalo es demasiado largo"),
        "search-odd": Rejection("odd_search", "The route or window is not sold", "Ruta o intervalo no disponible"),
        "return-window": Rejection("return_window", "The return window is not valid", "La vuelta no tiene intervalo"),
        "cursor-foreign": Rejection(
            "foreign_cursor", "The cursor is not of this search", "El cursor es de otra búsqueda"
        ),
        "customer-unknown-at-search": Rejection(
            "customer_unknown_at_search", "The customer code is unknown", "Código de cliente desconocido"
        ),
        "flight-unmaintained": Rejection("verification", "Flights are no longer verified", "Ya no se verifican vuelos"),
        "flight-unknown": Rejection("flight_unknown", "The flight was not found", "No se encuentra el vuelo"),
        "flight-gone": Rejection(409, "The flight is no longer available", "El vuelo ya no está disponible"),
        # v3 and v2: requests
        "customer-unknown-at-request": Rejection(
            "customer_unknown_at_request", "The customer code is unknown", "Código de cliente desconocido"
        ),
        "ids-none": Rejection("broken_rule", "No id was sent", "Falta un id"),
        "ids-as-text": Rejection("text_ids", "Ids are numbers", "Los ids son números"),
        "counts-impossible": Rejection(400, "The numbers of passengers are not valid", "Número de pasajeros imposible"),
        "counts-none": Rejection("no_counts", "There are no passengers", "No hay pasajeros"),
        "infants-many": Rejection("more_infants", "There are more infants than adults", "Hay más bebés que adultos"),
        "infants-unsold": Rejection(409, "This flight has no infant tickets", "Este vuelo no admite bebés"),
        "passport-missing": Rejection("passport_needed", "Passport data is needed", "Faltan datos del pasaporte"),
        "createRequests:/fare_type:enum": Rejection(
            "broken_rule", "The fare type is not valid", "No existe ese tipo de tarifa"
        ),
        "fare-none": Rejection("no_such_fare", "The round-trip fare does not exist", "No existe esa tarifa"),
        "bags-keys": Rejection("broken_rule", "The keys of bags must be the flight ids", "Las maletas van por vuelo"),
        "bags-left-out": Rejection("no_bags_sent", "A kind of bag is missing", "Falta un tipo de maleta"),
        "bags-listed": Rejection("broken_rule", "Every bag option must be listed", "Faltan opciones de maletas"),
        "bags-quantity": Rejection("broken_rule", "The number of bags is not valid", "Número de maletas imposible"),
        "bags-unknown": Rejection("broken_rule", "This bag is not offered", "Esta maleta no se ofrece"),
        "bags-price": Rejection("broken_rule", "The price of this bag is different", "Esta maleta tiene otro precio"),
        "cabin-bag-incomplete": Rejection("broken_rule", "The cabin bag is incomplete", "Faltan datos de la maleta"),
        "request-unknown": Rejection(404, "The request was not found", "No se encuentra la solicitud"),
        "request-foreign": Rejection(404, "The request was not found", "No se encuentra la solicitud"),
        "request-id-malformed": Rejection("request_id_malformed", "The id is not a number", "El id no es un número"),
        "request-not-pending": Rejection(
            "not_cancellable",
            "The request is not pending",
            "La solicitud no está pendiente",
            {"success": False},
        ),
        # v3 and v2: bookings
        "customer-unknown": Rejection("customer_unknown", "The customer code is unknown", "Código desconocido"),
        "customer-missing": Rejection(400, "The customer is missing", "Falta el cliente"),
        "customer-twice": Rejection(
            "both_customers", "Send either the customer's code or data", "Envíe código o datos"
        ),
        "self-psp-unauthorized": Rejection(
            "self_psp_unauthorized", "self_psp is not enabled", "self_psp no habilitado"
        ),
        "self-psp-with-card": Rejection("self_psp_with_card", "self_psp excludes a card", "self_psp no lleva tarjeta"),
        "self-psp-missing": Rejection("self_psp_left_out", "self_psp is missing", "Falta self_psp"),
        "transaction-id": Rejection(400, "transaction_id has the wrong type", "transaction_id es de otro tipo"),
        "requests-unlike": Rejection(
            "unlike_requests", "The requests do not belong together", "Solicitudes incompatibles"
        ),
        "requests-three": Rejection(
            "third_booking", "Three requests cannot be booked at once", "Tres no se reservan a la vez"
        ),
        "request-expired": Rejection("unusable_request", "The request has expired", "La solicitud ha caducado"),
        "request-cancelled": Rejection("unusable_request", "The request was cancelled", "Solicitud cancelada"),
        "request-booked": Rejection("unusable_request", "The request is already booked", "La solicitud ya es reserva"),
        "request-aborted": Rejection(403, "The request was aborted", "La solicitud fue abortada"),
        "luggage-keys": Rejection(
            "broken_rule", "The keys of luggage must be the request ids", "El equipaje va por solicitud"
        ),
        "luggage-quantity": Rejection("broken_rule", "The number of pieces is not valid", "Número imposible"),
        "luggage-listed": Rejection("luggage_listed", "Every luggage option must be listed", "Faltan opciones"),
        "price-moved": Rejection("price_moved", "The price has changed", "El precio ha cambiado"),
        "secure-failed": Rejection("failed_authentication", "Leave out a failed authentication", "Omita una fallida"),
        "secure-attempted": Rejection("payment_failed", "The authentication was only attempted", "Solo un intento"),
        "card-declined": Rejection("payment_failed", "The card was declined", "Tarjeta rechazada"),
        "payment-method-unknown": Rejection(
            "payment_failed", "The payment method does not exist", "El método de pago no existe"
        ),
        "card-unverified": Rejection(
            "payment_failed", "The card needs verification", "La tarjeta necesita verificación"
        ),
        **dict.fromkeys(
            ("reference-unknown", "reference-foreign"),
            Rejection("reference_unknown", "The reference was not found", "No existe esa referencia", {"bookings": []}),
        ),
    }
)


class Rejected(Exception):  # noqa: N818 - a response rather than a failure
    """The service rejects the request.

    ``body`` is the error payload of v4, whatever the version. ``reason`` says in English what is wrong.
    """

    def __init__(self, name: str, status: int, body: Mapping[str, Any], reason: str = "") -> None:
        super().__init__(name)
        self.name = name
        self.status = status
        self.body = dict(body)
        self.reason = reason


def rejection_of(name: str, choices: Choices, detail: str = "") -> Rejected:
    """Return the exception for the rejection of that name, with the dialect's status and message.

    ``name`` may end in ``@operation``, which tells the operations apart. ``detail`` says where the request is wrong and
    what is expected there.
    """
    rejection, value = _entry(name), _status(name, choices)
    # A status is needed even if the dialect responds with success: a hook may turn that into a rejection.
    is_error = isinstance(value, int) and value >= HTTPStatus.BAD_REQUEST
    status = int(value) if is_error else HTTPStatus.BAD_REQUEST.value
    message = rejection.message if choices.v4.message_language == "English" else rejection.spanish
    body = error_body(status, f"{message}: {detail}" if detail else message, choices)
    return Rejected(name, status, body, detail or rejection.message)


def documented_success(name: str, choices: Choices) -> Mapping[str, Any] | None:
    """Return the body of the successful response that takes the place of a rejection, or None if there is none."""
    value = _status(name, choices)
    is_error = isinstance(value, int) and value >= HTTPStatus.BAD_REQUEST
    return None if is_error else _entry(name).success


def _entry(name: str) -> Rejection:
    if ":" not in name:
        return REJECTIONS[name.partition("@")[0]]
    return REJECTIONS.get(name, BROKEN_RULE if name.rpartition(":")[2] in COUNTING else BAD_REQUEST)


def _status(name: str, choices: Choices) -> int | str:
    status = _entry(name).status
    return status if isinstance(status, int) else choices.behaviour(status)


def error_body(status: int, message: str, choices: Choices) -> dict[str, Any]:
    """Return the error payload of v4 for a status."""
    phrase = {413: "Payload Too Large", 422: "Unprocessable Entity"}.get(status) or HTTPStatus(status).phrase
    renamed = {413: "Content Too Large", 422: "Unprocessable Content"}.get(status, phrase)
    spelling = {"standard": phrase, "RFC 9110": renamed, "upper case": phrase.upper(), "lower case": phrase.lower()}
    return {"statusCode": status, "error": spelling[choices.v4.error_text], "message": message}


def open_body(body: dict[str, Any], choices: Choices) -> Any:  # noqa: ANN401 - the shape is a choice
    """Return the body of a rejection in v3 or v2, as the dialect writes it; ``body`` is the error payload of v4."""
    message, code = body["message"], body.get("code")
    text = message if code is None or choices.v3.provider_code != "message" else f"{message} ({code})"
    beside = {"code": code} if code is not None and choices.v3.provider_code == "code" else {}
    match choices.v3.rejection_body:
        case "empty":
            return b""
        case "text":
            return text.encode()
        case "errors":
            return {"errors": [{"detail": text, **beside}]}
        case "error":
            inner = (
                {"type": "refused", "code": code} if code is not None and choices.v3.provider_code == "error" else text
            )
            return {"error": inner, **beside}
        case _:
            return {"message": text, **beside}
