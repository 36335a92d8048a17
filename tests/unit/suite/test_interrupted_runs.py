"""Signals interrupt a run once; a run that ends early, by a signal or an option, still has results."""

import hashlib
import os
import signal
import sys
import threading
from collections.abc import Iterator

import pytest

from airworthy.suite.interrupts import IGNORED, Interrupts, signals_blocked

from .material import FEATURES_OF_THE_FOLDER, MiniSuite, rule, verdicts


@pytest.mark.parametrize(
    ("step", "stop"),
    [
        ("it is an internal error", (["-x"], "stopping after 1 failures")),
        ("it is interrupted", ([], "the run was interrupted")),
        ("it is interrupted", (["-k", "alpha or beta"], "the run was interrupted")),
    ],
)
def test_stopped_run_has_results(mini: MiniSuite, step: str, stop: tuple[list[str], str]) -> None:
    arguments, reason = stop
    mini.use(
        rule("V4-ALPHA", "Given nothing"),
        rule("V4-BETA", "Given nothing", f"Then {step}"),
        rule("V4-GAMMA", "Given nothing"),
    )
    outcome = mini.run(*arguments)
    found = mini.results()
    assert outcome.ret != 0
    assert found["decision"] == "INCOMPLETE"
    assert verdicts(found)["V4-ALPHA"] == "passed"
    assert verdicts(found)["V4-GAMMA"] == "untested"
    assert found["rules"]["V4-GAMMA"]["reason"] == reason
    assert found["scope"]["filtered"] is ("-k" in arguments)


@pytest.mark.usefixtures("ctrl_c")
def test_signal_ends_a_run_with_a_report(mini: MiniSuite) -> None:
    mini.use(rule("V4-ALPHA", "Given nothing"), rule("V4-BETA", "Given nothing"), rule("V4-GAMMA", "Given nothing"))
    before = signal.getsignal(signal.SIGTERM)
    # The second signal must not prevent the report.
    mini.pytester.makeconftest(
        """
        import os, signal

        def pytest_runtest_setup(item):
            if "beta" in item.name:
                os.kill(os.getpid(), signal.SIGTERM)

        def pytest_keyboard_interrupt():
            os.kill(os.getpid(), signal.SIGINT)
        """
    )
    outcome = mini.run()
    assert outcome.ret == 3
    assert verdicts(mini.results()) == {"V4-ALPHA": "passed", "V4-BETA": "untested", "V4-GAMMA": "untested"}
    assert mini.results()["rules"]["V4-GAMMA"]["reason"] == "the run was ended by SIGTERM"
    outcome.stdout.fnmatch_lines(["*untested: the run was ended by SIGTERM (V4-BETA, V4-GAMMA)"])
    assert signal.getsignal(signal.SIGTERM) == before


def test_signal_while_the_report_is_written_is_ignored(mini: MiniSuite) -> None:
    mini.use(rule("V4-ALPHA", "Given nothing"))
    mini.pytester.makeconftest(
        """
        import os, signal

        def pytest_sessionfinish():
            for number in (signal.SIGINT, signal.SIGTERM):
                os.kill(os.getpid(), number)
        """
    )
    assert mini.run().ret == 0
    assert mini.results()["decision"] == "CERTIFIED"


# A terminal sends Ctrl-C to all processes. A worker that starts lets it wait until it can end without a traceback.
@pytest.mark.exhaustive
@pytest.mark.parametrize("hook", ["pytest_xdist_newgateway(gateway)", "pytest_testnodeready(node)"])
def test_interrupted_start_of_workers_leaves_results(mini: MiniSuite, hook: str) -> None:
    mini.use(rule("V4-ALPHA", "Given nothing"), rule("V4-BETA", "Given nothing"))
    path = mini.pytester.makeconftest(
        f"""
        import os, signal

        def {hook}:
            os.kill(0, signal.SIGTERM)
        """
    )
    path.write_text(path.read_text() + FEATURES_OF_THE_FOLDER)
    outcome = _with_workers(mini.pytester, 1)
    assert outcome.ret == 3, outcome
    assert verdicts(mini.results()) == {"V4-ALPHA": "untested", "V4-BETA": "untested"}
    assert {each["reason"] for each in mini.results()["rules"].values()} == {"the run was ended by SIGTERM"}
    outcome.stdout.fnmatch_lines(["*untested: the run was ended by SIGTERM (V4-ALPHA, V4-BETA)"])
    assert "Traceback" not in outcome.stdout.str() + outcome.stderr.str()
    assert "crashed" not in outcome.stdout.str()


def _with_workers(pytester: pytest.Pytester, number: int) -> pytest.RunResult:
    """Run the features in so many workers of xdist, in a process group of their own."""
    options = ("-p", "airworthy.suite.plugin", "-p", "no:cacheprovider", f"-n{number}", "--run-id=run")
    return pytester.run("setsid", "--wait", sys.executable, "-m", "pytest", *options)


def test_interrupted_run_keeps_the_results_of_its_workers(mini: MiniSuite) -> None:
    mini.use(*(rule(f"V4-{name}", "When offers are searched") for name in ("ALPHA", "BETA", "GAMMA", "DELTA")))
    path = mini.pytester.makeconftest(
        """
        import os, signal, pytest

        class Interruption:
            # The signal reaches the controller as soon as it has the first result.
            @pytest.hookimpl(trylast=True)
            def pytest_runtest_logreport(self, report):
                if report.when == "call":
                    os.kill(os.getpid(), signal.SIGTERM)

        def pytest_configure(config):
            if not hasattr(config, "workerinput"):
                config.pluginmanager.register(Interruption())
        """
    )
    # The processes find the features of this test in their conftest only.
    path.write_text(path.read_text() + FEATURES_OF_THE_FOLDER)
    assert _with_workers(mini.pytester, 2).ret == 3
    found = mini.results()
    assert len(verdicts(found)) == 4
    assert "passed" in verdicts(found).values()
    # The workers have ended before the digest of the evidence is taken.
    evidence = mini.pytester.path / "reports" / "run" / "evidence.jsonl"
    assert hashlib.sha256(evidence.read_bytes()).hexdigest() == found["integrity"]["sha256"]


@pytest.fixture
def interrupts(ctrl_c: None) -> Iterator[Interrupts]:  # noqa: ARG001  its effect is wanted
    handled = Interrupts()
    handled.begin()
    yield handled
    handled.end()


def send(number: int) -> None:
    os.kill(os.getpid(), number)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("SIGINT", "the run was interrupted"),
        ("SIGTERM", "the run was ended by SIGTERM"),
        ("SIGHUP", "the run was ended by SIGHUP"),
    ],
)
@pytest.mark.usefixtures("ctrl_c")
def test_first_signal_interrupts_and_later_ones_are_answered_with_one_line(
    name: str, reason: str, capfd: pytest.CaptureFixture[str]
) -> None:
    interrupts = Interrupts(tells=True)
    interrupts.begin()
    with pytest.raises(KeyboardInterrupt) as caught:
        send(getattr(signal, name))
    assert (str(caught.value), capfd.readouterr().err) == (reason, "")

    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        send(each)
    interrupts.end()

    assert capfd.readouterr().err.split("\n") == ["", IGNORED, ""]


@pytest.mark.usefixtures("interrupts")
def test_signal_waits_for_the_end_of_the_block() -> None:
    done = []

    def work() -> None:
        with Interrupts.held():
            with Interrupts.held():
                send(signal.SIGTERM)
                done.append("inner")
            done.append("outer")

    with pytest.raises(KeyboardInterrupt, match="SIGTERM"):
        work()
    assert done == ["inner", "outer"]


@pytest.mark.usefixtures("interrupts")
def test_block_in_another_thread_holds_nothing() -> None:
    entered, left = threading.Event(), threading.Event()

    def work() -> None:
        with Interrupts.held():
            entered.set()
            left.wait()

    thread = threading.Thread(target=work)
    thread.start()
    entered.wait()
    try:
        with pytest.raises(KeyboardInterrupt):
            send(signal.SIGINT)
    finally:
        left.set()
        thread.join()


@pytest.mark.usefixtures("interrupts")
def test_interrupt_that_was_caught_is_raised_again() -> None:
    Interrupts.check()
    with pytest.raises(KeyboardInterrupt):
        send(signal.SIGTERM)
    with pytest.raises(KeyboardInterrupt, match="ended by SIGTERM"):
        Interrupts.check()


def test_signal_after_the_end_of_the_run_is_ignored(interrupts: Interrupts) -> None:
    interrupts.ignore()
    send(signal.SIGINT)
    with Interrupts.held():
        send(signal.SIGTERM)


@pytest.mark.usefixtures("interrupts")
def test_blocked_signal_arrives_after_the_block() -> None:
    done = []

    def work() -> None:
        with signals_blocked():
            # A signal to the process would reach any thread that other tests have left.
            signal.pthread_kill(threading.get_ident(), signal.SIGTERM)
            done.append("block")

    with pytest.raises(KeyboardInterrupt, match="SIGTERM"):
        work()
    assert done == ["block"]


def test_handling_before_is_restored_and_an_ignored_signal_stays_ignored() -> None:
    before = signal.getsignal(signal.SIGTERM), signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        interrupts = Interrupts()
        interrupts.begin()
        send(signal.SIGHUP)
        interrupts.end()
        assert signal.getsignal(signal.SIGTERM) == before[0]
    finally:
        signal.signal(signal.SIGHUP, before[1])
