"""Placeholders for secrets: variables, so that a shown command can be run again."""

from dataclasses import replace

from airworthy.target.profile import (
    Organisation,
    Payment,
    PaymentSituation,
    Profile,
    TokenCredentials,
    V4Credentials,
    secret_placeholders,
)
from airworthy.target.secret import Secret

PROFILE = Profile(
    source="acme.toml",
    base_url="https://service.example",
    versions=("v3", "v4"),
    organisation=Organisation(
        v4=V4Credentials(Secret("the-key", "ACME_KEY"), Secret("FIRST-OTA")),
        v3=TokenCredentials(Secret("the-token"), Secret("FIRST-OTA")),
    ),
)


def test_secret_is_shown_as_its_variable_or_as_one_named_after_its_key() -> None:
    shown = secret_placeholders(PROFILE)
    assert shown["the-key"] == ("$ACME_KEY",)
    assert shown["the-token"] == ("$AIRWORTHY_V3_TOKEN",)
    assert shown["FIRST-OTA"] == ("$AIRWORTHY_V4_CUSTOMER_CODE", "$AIRWORTHY_V3_CUSTOMER_CODE")


def test_second_organisation_and_the_payment_provider_have_placeholders() -> None:
    second = Organisation(v4=V4Credentials(Secret("second-key"), Secret("SECOND-OTA")))
    payment = Payment("https://pay.example", Secret("rk_1"), situations={"card": PaymentSituation(Secret("4242" * 4))})
    shown = secret_placeholders(replace(PROFILE, second_organisation=second, payment=payment))
    assert shown["second-key"] == ("$AIRWORTHY_V4_SECOND_KEY",)
    assert shown["SECOND-OTA"] == ("$AIRWORTHY_V4_SECOND_CUSTOMER_CODE",)
    assert shown["rk_1"] == ("$AIRWORTHY_PAYMENT_TOKEN",)
    assert shown["4242" * 4] == ("…",)
