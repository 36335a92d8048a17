"""The page of a 3-D Secure challenge, where the cardholder authenticates a payment in the browser."""

from urllib.parse import urlencode, urlsplit

from airworthy.sandbox.http.templating import render
from airworthy.sandbox.payment_provider.records import PaymentIntent

# The results that the page's buttons send, and whether the authentication has succeeded.
RESULTS = {"authenticated": True, "failed": False}


def challenge_page(intent: PaymentIntent | None, challenge: str) -> str:
    """Return the page as HTML; ``intent`` is the payment with this challenge, or None if there is none."""
    return render("challenge.html", intent=intent, is_open=intent is not None and intent.challenge == challenge)


def challenge_headers(intent: PaymentIntent | None) -> dict[str, str]:
    """Return the headers of the page: it runs no scripts, cannot be framed, and sends no referrer."""
    targets = ["'self'"]
    if intent is not None and intent.return_url:
        # Browsers apply form-action to the redirect after the form, too.
        parts = urlsplit(intent.return_url)
        targets.append(f"{parts.scheme}://{parts.netloc}")
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; form-action "
    allowed = policy + " ".join(targets)
    return {"content-security-policy": allowed, "referrer-policy": "no-referrer", "cache-control": "no-store"}


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
