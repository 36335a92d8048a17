"""Check the constraints of every Python version for security advisories: ``python constraints/advisories.py``.

pip-audit asks the package index. Where its database cannot be reached, the check says so and succeeds.
"""

import importlib.util
import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
# A release that has advisories, in the form in which pip-audit asks for them.
PROBE: Final = "https://pypi.org/pypi/mitmproxy/11.0.2/json"
PATIENCE: Final = 5.0
# Python 3.11 cannot have a newer mitmproxy, and that one requires old versions of others. `airworthy.proxy.advisories`
# turns off what is not safe.
OLDEST: Final = "python3.11.txt"


def main() -> int:
    """Print the advisories; return 1 if there is one for a version that can be raised."""
    if not is_reachable():
        sys.stdout.write("advisories: not checked, because the database of pip-audit cannot be reached\n")
        return 0
    if importlib.util.find_spec("pip_audit") is None:
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "pip-audit>=2.9"], check=True)
    failed = False
    for constraints in sorted(HERE.glob("*.txt")):
        found = list(advisories(audited(constraints)))
        sys.stdout.write(f"advisories: {constraints.name}: {len(found)}\n" + "".join(f"  {line}\n" for line in found))
        failed = failed or (bool(found) and constraints.name != OLDEST)
    return int(failed)


def is_reachable() -> bool:
    """Return whether the package index has advisories."""
    try:
        with urllib.request.urlopen(PROBE, timeout=PATIENCE) as response:
            return bool(json.load(response).get("vulnerabilities"))
    except (OSError, ValueError):
        return False


def audited(constraints: Path) -> str:
    """Return what pip-audit prints about a file, as JSON."""
    command = [sys.executable, "-m", "pip_audit", "--requirement", str(constraints), "--no-deps", "--disable-pip"]
    ran = subprocess.run(  # noqa: S603 - our own command
        [*command, "--format", "json", "--progress-spinner", "off"], capture_output=True, text=True, check=False
    )
    return ran.stdout


def advisories(report: str) -> Iterator[str]:
    """Yield one line for each advisory in a report of pip-audit."""
    for package in json.loads(report)["dependencies"]:
        for each in package.get("vulns", ()):
            fixed = ", ".join(each["fix_versions"]) or "no version"
            yield f"{package['name']} {package['version']}: {each['id']}, fixed in {fixed}"


if __name__ == "__main__":
    sys.exit(main())
