"""Who may use the sandbox: two organisations with published test credentials, which open nothing else."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Organisation:
    """A distributor; ``balance`` says whether it may pay from its account balance."""

    name: str
    key: str = field(repr=False)
    customer_code: str
    provider_token: str = field(repr=False)
    balance: bool


ORGANISATIONS = (
    Organisation("first", "test-key-first-6f1f0c52", "FIRST-OTA", "rk_test_sandbox_first", balance=True),
    Organisation("second", "test-key-second-91c7ab3e", "SECOND-OTA", "rk_test_sandbox_second", balance=False),
)
BY_KEY = {each.key: each for each in ORGANISATIONS}
