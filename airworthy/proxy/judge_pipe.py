"""One judge process with the pipes to and from it, as asyncio streams."""

import asyncio
import contextlib
import fcntl
import os
import pickle
import struct
import subprocess
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Final

from airworthy.proxy.messages import JudgeSettings, JudgeTask, Reply

REPLY_LENGTH: Final = struct.Struct("!I")
PIPE_SIZE: Final = 1024 * 1024
MOST_WAITING: Final = 32 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class JudgePipe:
    """A running judge process. `open` starts one."""

    _process: subprocess.Popen[bytes]
    _tasks: asyncio.StreamWriter
    _replies: asyncio.StreamReader
    _reading: asyncio.ReadTransport

    @classmethod
    async def open(cls) -> "JudgePipe":
        """Start a judge process. Raises OSError if the process cannot be started."""
        # The process has to import the same modules, but none from the current directory (-P).
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "airworthy.proxy.judge_worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            # Ctrl-C or a closed terminal stops the proxy, but must not stop the judge before it has judged everything.
            start_new_session=True,
        )
        loop = asyncio.get_running_loop()
        replies, unused = asyncio.StreamReader(), asyncio.StreamReader()
        reading, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(replies), process.stdout)
        transport, protocol = await loop.connect_write_pipe(lambda: asyncio.StreamReaderProtocol(unused), process.stdin)
        transport.set_write_buffer_limits(high=MOST_WAITING)
        if hasattr(fcntl, "F_SETPIPE_SZ") and process.stdin:
            with contextlib.suppress(OSError):
                fcntl.fcntl(process.stdin, fcntl.F_SETPIPE_SZ, PIPE_SIZE)
        return cls(process, asyncio.StreamWriter(transport, protocol, None, loop), replies, reading)

    @property
    def pid(self) -> int:
        """The id of the judge process."""
        return self._process.pid

    def send(self, message: JudgeSettings | JudgeTask) -> None:
        """Send a message; if the pipe is full, the message waits in memory. Await `room` before."""
        self._tasks.write(pickle.dumps(message, pickle.HIGHEST_PROTOCOL))

    async def room(self) -> None:
        """Wait while more than `MOST_WAITING` bytes wait in memory."""
        # The process has ended: `replies` reports that.
        with contextlib.suppress(ConnectionError):
            await self._tasks.drain()

    async def replies(self) -> AsyncIterator[Reply]:
        """Yield the replies of the judge process until it ends."""
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                (length,) = REPLY_LENGTH.unpack(await self._replies.readexactly(REPLY_LENGTH.size))
                reply: Reply = pickle.loads(await self._replies.readexactly(length))  # noqa: S301  see `messages`
                yield reply

    def finish(self) -> None:
        """Close the input. The judge process ends when it has judged everything."""
        self._tasks.close()

    async def abandon(self) -> None:
        """Close the pipes. A process that still runs judges and records what is in its pipe, then ends."""
        transport = self._tasks.transport
        if transport.get_write_buffer_size() or not transport.is_closing():
            transport.abort()
        self._reading.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            await asyncio.to_thread(self._process.wait, 1.0)

    async def kill(self) -> None:
        """Stop the judge process at once."""
        self._process.kill()
        await self.abandon()
