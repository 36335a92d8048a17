"""Judges the traffic of the Flight Booking Service while it passes: ``mitmdump -s proxy_addons/airworthy.py``."""

import sys
from pathlib import Path

_HERE = Path(__file__).resolve().parent
# mitmproxy leaves this folder at the head of the path, where this very file would be taken for the package airworthy.
sys.path[:] = [entry for entry in sys.path if Path(entry).resolve() != _HERE]
if str(_HERE.parent) not in sys.path:
    sys.path.append(str(_HERE.parent))

from proxy_addons.annotating import Annotating  # noqa: E402
from proxy_addons.asking import Asking  # noqa: E402
from proxy_addons.contract_view import ContractView  # noqa: E402
from proxy_addons.enforcing import Enforcing  # noqa: E402
from proxy_addons.judging import Judging  # noqa: E402
from proxy_addons.marking import Marking  # noqa: E402
from proxy_addons.observing import Observing  # noqa: E402
from proxy_addons.reporting import Reporting  # noqa: E402
from proxy_addons.telling import Telling  # noqa: E402
from proxy_addons.together import Together  # noqa: E402

_judging = Judging()
addons = [
    Together(
        _judging,
        Enforcing(_judging),
        Observing(_judging),
        Annotating(_judging),
        Marking(),
        Telling(),
        ContractView(),
        Asking(_judging),
        Reporting(_judging),
    )
]
