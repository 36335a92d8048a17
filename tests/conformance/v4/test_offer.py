"""Run features/v4/offer.feature: Get Offer."""

from pytest_bdd import scenarios

from airworthy.resources import resource

scenarios(str(resource("features") / "v4" / "offer.feature"))
