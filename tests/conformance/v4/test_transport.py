"""Run features/v4/transport.feature: Transport."""
