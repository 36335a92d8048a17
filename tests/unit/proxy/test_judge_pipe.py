"""One judge process, and the pipes to and from it."""

import asyncio

from airworthy.proxy.judge_pipe import JudgePipe
from airworthy.proxy.messages import JudgeTask, Reply, StartFailure, Tally

from .material import SETTINGS, raw, search


def replies_to(*messages: object) -> list[Reply]:
    async def run() -> list[Reply]:
        pipe = await JudgePipe.open()
        for message in messages:
            pipe.send(message)  # type: ignore[arg-type]
            await pipe.room()
        pipe.finish()
        replies = [reply async for reply in pipe.replies()]
        await pipe.abandon()
        return replies

    return asyncio.run(run())


def test_judge_process_counts_the_tasks_and_ends() -> None:
    replies = replies_to(SETTINGS, *(JudgeTask(number, "observe", raw(search())) for number in range(1, 41)))

    tallies = [reply for reply in replies if isinstance(reply, Tally)]
    assert len(tallies) == len(replies) >= 2
    assert sum(each.summary.judged for each in tallies) == 40
    assert tallies[-1].number == 40


def test_judge_process_that_receives_no_settings_reports_why_it_cannot_start() -> None:
    (reply,) = replies_to("no settings")

    assert reply == StartFailure("the judge cannot start (AttributeError)")


def test_judge_process_that_receives_nothing_ends() -> None:
    assert replies_to() == []
