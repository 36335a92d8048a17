"""A summary as a document with a published schema (``schemas/report/traffic.json``)."""

from collections import Counter
from datetime import datetime
from typing import Any, Final

import orjson

from airworthy.contract import Finding
from airworthy.report.document import read_document
from airworthy.traffic.golive import GoLive, Item
from airworthy.traffic.outcome import outcome
from airworthy.traffic.summary import Row, Summary, ranked

FORMAT: Final = "airworthy-traffic-1"


def to_json(summary: Summary) -> bytes:
    """Return the document. The headline and the exit code stand in it for readers that are not Airworthy."""
    said = outcome(summary)
    document = {
        "format": FORMAT,
        "headline": said.headline,
        "exit_code": said.exit_code,
        "seen": summary.seen,
        "judged": summary.judged,
        "foreign": summary.foreign,
        "unrecorded": summary.unrecorded,
        "not_judged": ranked(summary.not_judged),
        "began": summary.began,
        "ended": summary.ended,
        "operations": ranked(summary.operations),
        "kinds": ranked(summary.kinds),
        "unlisted": summary.unlisted,
        "findings": [
            {
                "operation": row.operation,
                "count": row.count,
                "first": row.first,
                "last": row.last,
                "finding": row.finding,
            }
            for row in summary.rows()
        ],
        "golive": {
            "adults": summary.golive.adults,
            "infants": summary.golive.infants,
            "versions": sorted(summary.golive.versions),
            "items": [
                {"name": item.name, "asked": item.asked, "exchange": item.exchange, "seen": item.seen}
                for item in summary.golive.progress()
            ],
        },
    }
    return orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_UTC_Z | orjson.OPT_APPEND_NEWLINE)


def from_json(text: bytes, name: str = "traffic.json") -> Summary:
    """Read what `to_json` wrote.

    Raises:
        UsageError: the text is not such a document; names ``name``, the place and what is wrong there.
    """
    document = read_document(text, name, "traffic.json")
    summary = Summary(golive=_golive(document["golive"]))
    for count in ("seen", "judged", "foreign", "unrecorded"):
        setattr(summary, count, document[count])
    for counts in ("not_judged", "operations", "kinds"):
        setattr(summary, counts, Counter(document[counts]))
    summary.began, summary.ended = _moment(document["began"]), _moment(document["ended"])
    for row in document["findings"]:
        times = (datetime.fromisoformat(row[name]) for name in ("first", "last"))
        summary.keep(Row(row["operation"], Finding(**row["finding"]), row["count"], *times))
    return summary


def _golive(told: dict[str, Any]) -> GoLive:
    golive = GoLive(adults=told["adults"], infants=told["infants"])
    golive.versions |= set(told["versions"])
    for item in told["items"]:
        golive.cover(Item(item["name"], item["asked"], item["exchange"], _moment(item["seen"])))
    return golive


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
