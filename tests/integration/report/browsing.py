"""Open a page in a browser as a person does."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from playwright.sync_api import Browser, Page

CHROMIUM: Final = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
"""The program of this machine, if there is one."""


@contextmanager
def opened(browser: Browser, address: str, *, tolerated: str = "nothing") -> Iterator[Page]:
    """Yield an opened page; an error of the browser or a request elsewhere fails the test, unless it is tolerated."""
    complaints: list[str] = []
    context = browser.new_context(viewport={"width": 1280, "height": 900}, ignore_https_errors=True)
    page = context.new_page()
    page.on("console", lambda message: complaints.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("dialog", lambda dialog: complaints.append(dialog.message))
    page.on("request", lambda sent: None if sent.url.startswith((address, "data:")) else complaints.append(sent.url))
    page.goto(address)
    yield page
    context.close()
    assert [each for each in complaints if tolerated not in each] == []
