"""The audit of recorded traffic on Apache Spark, for archives beyond one machine.

::

    session      starts Spark, and translates its errors
    sources      the recordings to audit: local paths, and URIs that Spark reads
    scanning     a task that parses entries once, and finds what links them
    callers      which callers have to be judged together
    judging      a task that judges whole groups of entries as a stream
    run          the audit
    arrivals     a task that reads closed evidence files, and finds the caller of each entry
    caller_state what is kept of each caller between two batches of a stream
    follow       the audit of a folder into which proxies rotate their evidence

Only `caller_state` and `run` import PySpark when they are imported; the others import it when they run.
"""
