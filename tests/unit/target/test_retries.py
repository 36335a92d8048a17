"""What a run may cost: throttled requests are repeated after pauses, within limits."""

import contextlib
import itertools
from pathlib import Path

import pytest

from airworthy.target.client import InconclusiveError
from airworthy.target.rate_limiter import RateLimiter
from airworthy.target.retries import MAX_RETRIES, MAX_THROTTLED_IN_A_ROW, RunBudget

from .servers import Serve, replies, response


def throttled(retry_after: str, status: str = "429 Too Many Requests") -> bytes:
    return response(b"", status, f"Retry-After: {retry_after}")


def test_throttled_request_is_sent_again_after_the_pause(serve: Serve, tmp_path: Path) -> None:
    server = serve(replies(throttled("3"), throttled("3"), response(b"{}")))
    pauses: list[float] = []
    server.client(rate_limiter=RateLimiter(None, shared=tmp_path), pause=pauses.append).send("GET", "/")
    assert pauses == [3, 3]


LATER = "Wed, 21 Oct 2099 07:28:00 GMT"


@pytest.mark.parametrize(
    ("reply", "retries"),
    [
        (throttled("3600"), 0),
        (throttled(LATER), 0),
        (throttled("20"), 1),
        (response(b"", "429 Too Many Requests"), MAX_RETRIES),
        (throttled("0", "503 Service Unavailable"), MAX_RETRIES),
        (response(b"", "529 Site is overloaded"), MAX_RETRIES),
        *((throttled(each), MAX_RETRIES) for each in ("0", "soon", "-1", "9" * 5000, "Wed, 21 Oct 2015 07:28:00 GMT")),
        # The clock of the target was moved.
        (response(b"", "429 Too Many Requests", f"Date: {LATER}", f"Retry-After: {LATER}"), MAX_RETRIES),
    ],
)
def test_throttled_request_is_sent_again_after_pauses(serve: Serve, reply: bytes, retries: int) -> None:
    server = serve(replies(reply))
    pauses: list[float] = []
    with pytest.raises(InconclusiveError, match="throttles"):
        server.client(pause=pauses.append).send("GET", "/")
    assert len(server.requests) == 1 + retries
    assert all(earlier < later for earlier, later in itertools.pairwise([0, *pauses]))
    assert sum(pauses) <= 30


def test_pauses_of_a_run_are_limited(serve: Serve) -> None:
    server = serve(replies(throttled("2"), response(b"{}"), throttled("2")))
    budget = RunBudget(pause=3)
    clients = [server.client(run_budget=budget, pause=lambda _: None) for _ in range(2)]
    clients[0].send("GET", "/")
    for client in clients:
        with pytest.raises(InconclusiveError):
            client.send("GET", "/")
    assert budget.exhausted == "the target keeps throttling: the run may wait 3 s for it in all"
    assert len(server.requests) == 3


def test_processor_time_of_a_run_is_limited(serve: Serve) -> None:
    budget = RunBudget(work=10)
    client = serve(replies(response(b"{}"))).client(run_budget=budget)
    budget.worked(9)
    client.send("GET", "/")
    budget.worked(2)
    with pytest.raises(InconclusiveError, match="of the target are too large: examining them takes over 10 s"):
        client.send("GET", "/")


@pytest.mark.parametrize(
    ("method", "path", "status", "sent"),
    [
        ("POST", "/v4/order", "429 Too Many Requests", 2),
        ("POST", "/v4/order", "503 Service Unavailable", 1),
        ("POST", "/v4/order/1/confirm", "503 Service Unavailable", 1),
        ("POST", "/v3/requests", "503 Service Unavailable", 1),
        ("POST", "/v2/bookings", "503 Service Unavailable", 1),
        ("POST", "/v4/search", "503 Service Unavailable", 2),
        ("GET", "/v4/order/1", "503 Service Unavailable", 2),
    ],
)
def test_request_that_may_have_created_something_is_not_repeated(
    serve: Serve, method: str, path: str, status: str, sent: int
) -> None:
    server = serve(replies(throttled("1", status), response(b"{}")))
    pauses: list[float] = []
    with contextlib.suppress(InconclusiveError):
        server.client(pause=pauses.append).send(method, path)
    assert len(server.requests) == sent
    # What is sent next has to wait, too.
    assert pauses == [1]


def test_several_throttled_requests_in_a_row_end_the_run(serve: Serve) -> None:
    is_throttled = [True, True, False, *[True] * MAX_THROTTLED_IN_A_ROW]
    server = serve(replies(*(throttled("3600") if each else response(b"{}") for each in is_throttled)))
    budget = RunBudget()
    client = server.client(run_budget=budget)
    for each in is_throttled:
        assert not budget.exhausted
        with pytest.raises(InconclusiveError) if each else contextlib.nullcontext():
            client.send("GET", "/")
    assert budget.exhausted == "the target keeps throttling: it throttled 3 requests in a row"
