"""Run features/v3/transport.feature: Transport and authentication of v2 and v3."""

from pytest_bdd import scenarios

from airworthy.resources import resource

scenarios(str(resource("features") / "v3" / "transport.feature"))
