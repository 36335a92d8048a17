"""The target under examination: profile, HTTP client, clock, ageing and ledger."""
