"""Take the screenshots in ``docs/pictures`` of the samples. ``make pictures`` runs this; it needs Chromium."""

import subprocess
from typing import Final

from integration.report.browsing import CHROMIUM
from integration.report.samples import FOLDER, ROOT

PICTURES: Final = ROOT / "docs" / "pictures"
_SIZE: Final = "1280,1000"


def main() -> None:
    """Write docs/pictures/report.png."""
    if CHROMIUM is None:
        raise SystemExit("Chromium is not installed: install the package chromium")
    PICTURES.mkdir(parents=True, exist_ok=True)
    page, picture = FOLDER / "report.html", PICTURES / "report.png"
    options = ("--headless", "--no-sandbox", "--hide-scrollbars", f"--window-size={_SIZE}", f"--screenshot={picture}")
    subprocess.run([CHROMIUM, *options, page.as_uri()], check=True, capture_output=True)  # noqa: S603  nothing from outside


if __name__ == "__main__":
    main()
