"""Run features/v4/organisations.feature: Offers of another organisation."""

from pytest_bdd import scenarios

from airworthy.resources import resource

scenarios(str(resource("features") / "v4" / "organisations.feature"))
