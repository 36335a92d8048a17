import inspect

import pytest
from mitmproxy import command, exceptions, hooks
from mitmproxy.addonmanager import Loader
from mitmproxy.proxy.layers.http._hooks import HttpResponseHook
from mitmproxy.test import tflow

from proxy_addons.together import Together

from .bench import context, run


class First:
    def __init__(self, told: list[str]) -> None:
        self.told = told

    def load(self, loader: Loader) -> None:
        loader.add_option("first", bool, True, "An option.")

    def done(self) -> None:
        self.told.append("first is done")

    async def response(self, _: object) -> None:
        self.told.append("first has an answer")

    @command.command("first.command")
    def command(self) -> str:
        """A command."""
        return "the first"


class Second:
    def __init__(self, told: list[str]) -> None:
        self.told = told

    def response(self, _: object) -> None:
        self.told.append("second has an answer")

    def done(self) -> None:
        self.told.append("second is done")

    def error(self, _: object) -> None:
        self.told.append("second has an error")


def test_each_event_reaches_those_that_listen_in_their_order() -> None:
    told: list[str] = []
    with context(Together(First(told), Second(told))) as made:
        run(made.master.addons.handle_lifecycle(HttpResponseHook(tflow.tflow(resp=True))))
        made.master.addons.trigger(hooks.DoneHook())

    assert told[:4] == ["first has an answer", "second has an answer", "first is done", "second is done"]


def test_options_and_commands_are_those_of_the_parts() -> None:
    with context(Together(First([]), Second([]))) as made:
        assert made.options.first
        assert made.master.commands.execute("first.command") == "the first"


def test_events_that_no_part_listens_to_are_none_of_its_own() -> None:
    addon = Together(First([]), Second([]))

    assert {name for name in hooks.all_hooks if hasattr(addon, name)} == {"load", "done", "response", "error"}


def test_what_has_to_be_awaited_says_so_to_whoever_cannot_wait() -> None:
    addon = Together(First([]), Second([]))
    assert inspect.iscoroutinefunction(addon.response)  # type: ignore[attr-defined]
    assert not inspect.iscoroutinefunction(addon.done)  # type: ignore[attr-defined]

    with context(addon) as made, pytest.raises(exceptions.AddonManagerError, match="Async handler"):
        made.master.addons.invoke_addon_sync(addon, HttpResponseHook(tflow.tflow(resp=True)))
