"""The audit of recorded traffic on Apache Spark, for archives beyond one machine.

::

    session      starts Spark, and translates its errors
    sources      the recordings to audit: local paths, and URIs that Spark reads
    scanning     a task that parses entries once, and finds what links them
    callers      which callers have to be judged together
    judging      a task that judges whole groups of entries as a stream
    run          the audit

Only `session` and `run` import PySpark, and only when they run. Importing this package does not.
"""
