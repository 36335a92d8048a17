"""Run features/v3/transport.feature: Transport and authentication of v2 and v3."""
