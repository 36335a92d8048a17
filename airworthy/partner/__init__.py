"""Judge the recorded traffic of a partner by the go-live list, and issue a certificate or a refusal.

::

    results, folder = certify_partner([Path("evidence.jsonl")], Path("reports"), profile)
    decide(results)

The recordings are judged once, as a stream. The scenarios in ``features/golive`` assert the outcome of each item.
"""
