"""Keys, certificates and their verification.

::

    key = load_signing_key(Path("operator.key"))
    certificate = sign_run(Path("reports/run"), key)            # writes certificate.intoto.jsonl
    verify_run(Path("reports/run"), load_verification_key(Path("operator.pub"))).problems

A certificate is an in-toto bundle: the first line is the signed statement about the run and its files; a second line
covers report.pdf, which shows the digest of the first statement.
"""
