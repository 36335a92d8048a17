"""The open choices of how requests are received and responses sent; see `airworthy.sandbox.dialects.choices`."""

from typing import Literal

from airworthy.sandbox.dialects import choice, choices


@choices
class HttpChoices:
    """One choice for every open question on HTTP and JSON that a client can observe."""

    unknown_request_fields: Literal["ignored", 400] = choice("OPEN-47", "unknown fields in requests")
    plain_http: Literal["closed", "reset", 400, "redirect", "no response"] = choice("OPEN-33", "plain HTTP")
    throttling: Literal["none", "429 with Retry-After", "429", "503", "429 often"] = choice(
        "OPEN-09", "every 150th request, or every 25th; with 503 none that has a body"
    )
    media_type: Literal["application/json", "application/json;charset=UTF-8", "Application/JSON; charset=utf-8"] = (
        choice("OPEN-75", "Content-Type of responses")
    )
    transfer: Literal["plain", "chunked", "gzip"] = choice("OPEN-75", "how response bodies are transferred")
    json_form: Literal["compact", "indented", "escaped"] = choice("OPEN-75", "how JSON is written")
    number_form: Literal["shortest", "with a fraction"] = choice("OPEN-75", "whole numbers in JSON: 10 or 10.0")
    key_order: Literal["as documented", "reversed"] = choice("OPEN-75", "order of members in responses")
    extra_headers: Literal["none", "some"] = choice("OPEN-46", "response headers that are not documented")
    date_header: Literal["of its clock", "of the machine"] = choice(
        "OPEN-46", "the time in the header Date after the clock of the sandbox was moved"
    )
    order_of_checks: Literal["key first", "body first", "resource first"] = choice(
        "OPEN-74", "which check is made first when several would fail"
    )
    other_accept: Literal["ignored", 406, 400] = choice("OPEN-75", "Accept that does not take JSON")
    other_content_type: Literal["ignored", 415, 400] = choice("OPEN-75", "Content-Type other than JSON")
    unknown_path: Literal[404, 405] = choice("OPEN-75", "undocumented paths")
    unknown_method: Literal[405, 404] = choice("OPEN-75", "undocumented methods of a documented path")
    removed_versions: Literal[404, 410, "no route"] = choice("OPEN-102", "versions 1.0 and 1.1")
