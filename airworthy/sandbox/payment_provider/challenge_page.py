"""The page of a 3-D Secure challenge, where the cardholder authenticates a payment in the browser."""

from urllib.parse import urlencode, urlsplit

from jinja2 import Environment

from airworthy.sandbox.payment_provider.records import PaymentIntent

# The results that the page's buttons send, and whether the authentication has succeeded.
RESULTS = {"authenticated": True, "failed": False}
_TEMPLATE = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(
    """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>3-D Secure (sandbox)</title>
<style>
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 30rem; margin: 0 auto; padding: 1rem; }
button { font: inherit; padding: .5rem 1rem; margin: 0 .5rem .5rem 0; }
code { overflow-wrap: anywhere; }
</style>
</head>
<body>
<h1>3-D Secure</h1>
{% if not intent %}
<p role="status">This challenge does not exist.</p>
{% else %}
<p>Sandbox: no bank is involved. A payment of {{ "%.2f" | format(intent.amount / 100) }}
{{ intent.currency | upper }}, <code>{{ intent.id }}</code>.</p>
{% if is_open %}
<form method="post">
<button name="result" value="authenticated">Authenticate</button>
<button name="result" value="failed">Fail authentication</button>
</form>
{% else %}
<p role="status">The challenge is over. The status of the payment is <code>{{ intent.status }}</code>.</p>
{% endif %}
{% endif %}
</body>
</html>
"""
)


def challenge_page(intent: PaymentIntent | None, challenge: str) -> str:
    """Return the page as HTML; ``intent`` is the payment with this challenge, None if there is none."""
    return _TEMPLATE.render(intent=intent, is_open=intent is not None and intent.challenge == challenge)


def challenge_headers(intent: PaymentIntent | None) -> dict[str, str]:
    """Return the headers of the page: it runs no scripts, is not framed, and keeps its address to itself."""
    targets = ["'self'"]
    if intent is not None and intent.return_url:
        # Browsers apply form-action to the redirect after the form, too.
        parts = urlsplit(intent.return_url)
        targets.append(f"{parts.scheme}://{parts.netloc}")
    policy = f"default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; form-action {' '.join(targets)}"
    return {"content-security-policy": policy, "referrer-policy": "no-referrer", "cache-control": "no-store"}


def return_address(intent: PaymentIntent) -> str:
    """Return the address where the browser continues after the challenge, with the result in its query.

    The payment must have a ``return_url``.
    """
    result = {
        "payment_intent": intent.id,
        "payment_intent_client_secret": intent.secret,
        "redirect_status": "failed" if intent.failure else "succeeded",
    }
    url, _, fragment = (intent.return_url or "").partition("#")
    joined = f"{url}{'&' if '?' in url else '?'}{urlencode(result)}"
    return f"{joined}#{fragment}" if fragment else joined
