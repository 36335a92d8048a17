"""Open a page in a browser as a person does."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page


@contextmanager
def opened(browser: Browser, path: Path) -> Iterator[Page]:
    """Yield an opened page; an error of the browser or a network request fails the test."""
    complaints: list[str] = []
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.on("console", lambda message: complaints.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("dialog", lambda dialog: complaints.append(dialog.message))
    page.on("request", lambda request: complaints.append(request.url) if request.url != path.as_uri() else None)
    page.goto(path.as_uri())
    yield page
    context.close()
    assert complaints == []
