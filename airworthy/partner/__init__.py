"""Judge the recorded traffic of a partner by the go-live list, and issue a certificate or a refusal.

::

    certified = certify_partner(PartnerRun((Path("evidence.jsonl"),), profile), Path("reports"))
    decide(certified.results)

The recordings are judged once, as a stream. The scenarios in ``features/golive`` assert the outcome of each item.
"""
