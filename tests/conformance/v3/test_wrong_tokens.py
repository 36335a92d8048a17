"""Run features/v3/wrong_tokens.feature: Wrong tokens in every form."""

from pytest_bdd import scenarios

from airworthy.resources import resource

scenarios(str(resource("features") / "v3" / "wrong_tokens.feature"))
