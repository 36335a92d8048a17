"""The HTTP routes of the payment provider."""

from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from airworthy.sandbox.payment_provider.provider import PaymentProvider, ProviderError

MAX_FORM = 16_384
_PATHS = (
    ("POST", "/v1/payment_methods"),
    ("GET", "/v1/payment_methods/{reference}"),
    ("POST", "/v1/payment_intents"),
    ("GET", "/v1/payment_intents/{reference}"),
    ("POST", "/v1/payment_intents/{reference}/confirm"),
)


def provider_routes(provider: PaymentProvider) -> list[Route]:
    """Return the provider's routes, relative to the payment provider's URL."""

    async def endpoint(request: Request) -> Response:
        try:
            form = await _read_form(request)
            path, reference = request.url.path.split("/v1/")[1], request.path_params.get("reference")
            authorization = request.headers.get("authorization", "")
            return JSONResponse(provider.respond(authorization, request.method, path, reference, form))
        except ProviderError as error:
            return JSONResponse(error.body, error.status)

    return [Route(path, endpoint, methods=[method]) for method, path in _PATHS]


async def _read_form(request: Request) -> dict[str, str]:
    raw = b""
    async for part in request.stream():
        raw += part
        if len(raw) > MAX_FORM:
            raise ProviderError(413, "request_too_large", "The form is too large")
    try:
        return dict(parse_qsl(raw.decode(), keep_blank_values=True, max_num_fields=100))
    except ValueError:
        raise ProviderError(400, "parameter_invalid", "The form is not valid") from None
