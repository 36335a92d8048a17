"""Judge live traffic of the Flight Booking Service: ``mitmdump -s proxy_addons/airworthy.py``."""

import sys
from pathlib import Path

_HERE = Path(__file__).resolve().parent
# mitmproxy puts this folder at the head of the path, where this file would be imported as the package airworthy.
sys.path[:] = [entry for entry in sys.path if Path(entry).resolve() != _HERE]
if str(_HERE.parent) not in sys.path:
    sys.path.append(str(_HERE.parent))

from proxy_addons.body_limits import BodyLimits
from proxy_addons.contentview import AddContentview
from proxy_addons.enforce import Enforce
from proxy_addons.golive_page import GoLivePage
from proxy_addons.judge_control import JudgeControl
from proxy_addons.log import LogConnections, LogFindings, LogFlows
from proxy_addons.mark import MarkFlows
from proxy_addons.observe import Annotate, ObserveTraffic
from proxy_addons.redact_log import RedactLog
from proxy_addons.report import Commands, Report

_control = JudgeControl()
addons = [
    RedactLog(_control),
    _control,
    Enforce(_control),
    BodyLimits(_control),
    ObserveTraffic(_control),
    Annotate(_control),
    MarkFlows(),
    LogFindings(),
    LogFlows(_control),
    LogConnections(),
    AddContentview(),
    Commands(_control),
    Report(_control),
    GoLivePage(_control),
]
