"""Judge live traffic of the Flight Booking Service: ``mitmdump -s proxy_addons/airworthy.py``."""

import sys
from pathlib import Path

_HERE = Path(__file__).resolve().parent
# mitmproxy puts this folder at the head of the path, where this file would be imported as the package airworthy.
sys.path[:] = [entry for entry in sys.path if Path(entry).resolve() != _HERE]
if str(_HERE.parent) not in sys.path:
    sys.path.append(str(_HERE.parent))

from proxy_addons.annotate import Annotate  # noqa: E402
from proxy_addons.body_limits import BodyLimits  # noqa: E402
from proxy_addons.commands import Commands  # noqa: E402
from proxy_addons.contentview import AddContentview  # noqa: E402
from proxy_addons.enforce import Enforce  # noqa: E402
from proxy_addons.judge_control import JudgeControl  # noqa: E402
from proxy_addons.log_findings import LogFindings  # noqa: E402
from proxy_addons.log_flows import LogFlows  # noqa: E402
from proxy_addons.mark import MarkFlows  # noqa: E402
from proxy_addons.observe import ObserveTraffic  # noqa: E402
from proxy_addons.report import Report  # noqa: E402

_control = JudgeControl()
addons = [
    _control,
    Enforce(_control),
    BodyLimits(_control),
    ObserveTraffic(_control),
    Annotate(_control),
    MarkFlows(),
    LogFindings(),
    LogFlows(_control),
    AddContentview(),
    Commands(_control),
    Report(_control),
]
