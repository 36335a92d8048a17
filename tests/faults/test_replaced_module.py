"""A module of the sandbox can be replaced for a run, as mutation testing does."""

from pathlib import Path

from airworthy.sandbox.service import keys
from collected_suite import CollectedSuite

RULE = "V4-AUTH-WRONG-KEY"


def test_suite_examines_the_replaced_module(suite: CollectedSuite, tmp_path: Path) -> None:
    changed = tmp_path / "keys.py"
    source = Path(keys.__file__).read_text(encoding="utf-8")
    changed.write_text(
        source + "\n\ndef key_holder(*_: object): return next(iter(BY_KEY.values()))\n", encoding="utf-8"
    )

    run = suite.run(tmp_path / "run", rules=[RULE], brief=True, replaced=(keys.__name__, str(changed)))

    assert run.rule(RULE).verdict == "failed"
    assert suite.run(tmp_path / "unchanged", rules=[RULE], brief=True).rule(RULE).verdict == "passed"
