"""Convert a summary to JSON and back; the schema is ``schemas/report/traffic.json``."""

from collections import Counter
from datetime import datetime
from typing import Final

import orjson

from airworthy.report.document import build, read_document
from airworthy.traffic.golive.items import GoLiveSettings
from airworthy.traffic.golive.observer import GoLive
from airworthy.traffic.golive.progress import ItemProgress
from airworthy.traffic.summary import COUNTS, Summary, SummaryRow, outcome, ranked

FORMAT: Final = "airworthy-traffic-1"


def to_json(summary: Summary) -> bytes:
    """Return the document. It includes the headline and the exit code for programs other than Airworthy."""
    result = outcome(summary)
    document = {
        "format": FORMAT,
        "headline": result.headline,
        "exit_code": result.exit_code,
        **{name: getattr(summary, name) for name in COUNTS},
        "not_judged": ranked(summary.not_judged),
        "began": summary.began,
        "ended": summary.ended,
        "operations": ranked(summary.operations),
        "kinds": ranked(summary.kinds),
        "unlisted": summary.unlisted,
        "findings": summary.rows(),
        "golive": {
            "adults": summary.golive.settings.adults,
            "infants": summary.golive.settings.infants,
            "versions": ranked(summary.golive.versions),
            "items": [
                {"id": item, "version": version, "status": progress.status, "progress": progress}
                for (item, version), progress in sorted(summary.golive.record.entries.items())
            ],
        },
    }
    return orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_UTC_Z | orjson.OPT_APPEND_NEWLINE)


def from_json(text: bytes, name: str = "traffic.json") -> Summary:
    """Return the summary in a document that `to_json` wrote.

    Raises:
        UsageError: the text is not such a document; the message names ``name``, the location and the error.
    """
    document = read_document(text, name, "traffic.json")
    listed = document["golive"]
    summary = Summary(golive=GoLive(GoLiveSettings(listed["adults"], listed["infants"])))
    summary.golive.versions.update(listed["versions"])
    for item in listed["items"]:
        summary.golive.record.add(item["id"], item["version"], build(ItemProgress, item["progress"]))
    for count in COUNTS:
        setattr(summary, count, document.get(count, 0))
    for counts in ("not_judged", "operations", "kinds"):
        setattr(summary, counts, Counter(document[counts]))
    summary.began, summary.ended = (build(datetime | None, document[name]) for name in ("began", "ended"))
    for row in document["findings"]:
        summary.add_row(build(SummaryRow, row))
    return summary
