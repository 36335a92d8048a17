"""Run features/v4/transport.feature: Transport."""

from pytest_bdd import scenarios

from airworthy.resources import resource

scenarios(str(resource("features") / "v4" / "transport.feature"))
