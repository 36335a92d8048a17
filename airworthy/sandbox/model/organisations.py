"""The two organisations of the sandbox; their published credentials are valid nowhere else."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class SandboxOrganisation:
    """A distributor: ``key`` for v4, ``token`` for v3 and v2.

    ``balance`` says whether it may pay from its account balance, ``self_psp`` whether it may book on deposit.
    """

    name: str
    key: str = field(repr=False)
    customer_code: str
    provider_token: str = field(repr=False)
    balance: bool
    token: str = field(repr=False)
    self_psp: bool


ORGANISATIONS = (
    SandboxOrganisation(
        "first",
        "test-key-first-6f1f0c52",
        "FIRST-OTA",
        "rk_test_sandbox_first",
        balance=True,
        token="test-token-first-d41b7e90",  # noqa: S106 - published, valid in the sandbox only
        self_psp=True,
    ),
    SandboxOrganisation(
        "second",
        "test-key-second-91c7ab3e",
        "SECOND-OTA",
        "rk_test_sandbox_second",
        balance=False,
        token="test-token-second-5c08fa62",  # noqa: S106 - published
        self_psp=False,
    ),
)
BY_KEY = {each.key: each for each in ORGANISATIONS}
BY_TOKEN = {each.token: each for each in ORGANISATIONS}
