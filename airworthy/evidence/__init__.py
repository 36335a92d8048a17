"""Record exchanges as evidence that others can check: redacted at capture, hash-chained, append-only."""
