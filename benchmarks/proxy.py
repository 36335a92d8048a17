"""Measure what the proxy's addons cost: mitmdump with and without them, in turns within one run.

python benchmarks/proxy.py [--rounds 9] [--seconds 2] [--evidence | --evidence-dir] [--prism] [--memory 100000]
"""

import argparse
import asyncio
import contextlib
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from airworthy.contract import Exchange
from airworthy.documents.bundles import bundle
from airworthy.resources import resource
from conformance.v4 import samples
from integration.proxy import corpus
from integration.proxy.mitm import free_port
from judge import body
from machine import show

CONNECTIONS = 8
LARGE = 200 * 1024
PRISM = "@stoplight/prism-cli@5.14.2"
_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True)
class Traffic:
    """A request and the response of the service, as bytes."""

    name: str
    request: bytes
    response: bytes


@dataclass
class Proxy:
    """A proxy under load: its port, its process, and the measurements by traffic."""

    name: str
    port: int
    process: subprocess.Popen[bytes] | None
    rates: dict[str, list[float]] = field(default_factory=dict)
    latencies: dict[str, list[float]] = field(default_factory=dict)
    costs: dict[str, list[float]] = field(default_factory=dict)

    def processes(self) -> list[int]:
        """Return the ids of mitmdump and of the judge process, its child."""
        return [self.process.pid, *_children(self.process.pid)] if self.process else []


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--evidence", action="store_true", help="have the proxy write evidence")
    parser.add_argument("--evidence-dir", action="store_true", help="have it write files of 1 MB, compressed")
    parser.add_argument("--prism", action="store_true", help="also measure Prism's proxy; needs npm")
    parser.add_argument("--memory", type=int, default=0, metavar="N", help="also measure memory over N exchanges")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        for traffic in (small(), large()):
            upstream = stack.enter_context(service(traffic))
            proxies = [Proxy("no proxy", upstream, None)]
            proxies += [stack.enter_context(each) for each in running(Path(folder), upstream, chosen)]
            for each in proxies:
                asyncio.run(load(each.port, traffic, seconds=2.0))
            for _ in range(chosen.rounds):
                for each in proxies:
                    measure(each, traffic, chosen.seconds)
            rows = [row(each, traffic, proxies[1]) for each in proxies]
            heads = ("proxy", traffic.name, "of mitmdump alone", "p50", "p99", "CPU an exchange: proxy", "judge")
            show(heads, rows)
            if chosen.memory and traffic.name.startswith("2"):
                memory(proxies[2], traffic, chosen.memory)


def small() -> Traffic:
    """Return the retrieval of an order: 2 KB."""
    return traffic("2 KB, exchanges a second", samples.sample("getOrder"))


def large() -> Traffic:
    """Return a search with about two hundred offers: 200 KB."""
    exchange = samples.sample("searchOffers")
    offer = json.loads(body(exchange))["offers"][0]
    offers = [offer] * (LARGE // len(json.dumps(offer)) + 1)
    return traffic("200 KB, exchanges a second", samples.with_response_body(exchange, {"offers": offers}))


def traffic(name: str, exchange: Exchange) -> Traffic:
    return Traffic(name, corpus.request(exchange), corpus.response(body(exchange), corpus.JSON))


@contextlib.contextmanager
def service(traffic: Traffic) -> Iterator[int]:
    """Run the service in a separate process; it sends the same response to every request, as cheaply as possible."""
    port = free_port()
    child = os.fork()
    if child == 0:
        asyncio.run(_serve(port, traffic))
        os._exit(0)
    wait_for(port)
    try:
        yield port
    finally:
        os.kill(child, 9)
        os.waitpid(child, 0)


async def _serve(port: int, traffic: Traffic) -> None:
    class Responding(asyncio.Protocol):
        def __init__(self) -> None:
            self.waiting = b""

        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            assert isinstance(transport, asyncio.Transport)
            self.transport = transport

        def data_received(self, data: bytes) -> None:
            self.waiting += data
            end = self.waiting.find(b"\r\n\r\n")
            while end >= 0:
                lengths = [line for line in self.waiting[:end].lower().split(b"\r\n") if b"content-length:" in line]
                whole = end + 4 + (int(lengths[0].partition(b":")[2]) if lengths else 0)
                if len(self.waiting) < whole:
                    return
                self.waiting = self.waiting[whole:]
                self.transport.write(traffic.response)
                end = self.waiting.find(b"\r\n\r\n")

    server = await asyncio.get_running_loop().create_server(Responding, "127.0.0.1", port)
    await server.serve_forever()


def running(
    folder: Path, upstream: int, chosen: argparse.Namespace
) -> Iterator[contextlib.AbstractContextManager[Proxy]]:
    """Yield the proxies to compare, the one without addons first."""
    script = resource("proxy_addons") / "airworthy.py"
    yield started("mitmdump alone", upstream, [])
    # Without TLS, which would cost both the same.
    options = ["-s", str(script), "--set", "airworthy_allow_plain_http=true", "--set", "flow_detail=0"]
    if chosen.evidence:
        options += ["--set", f"airworthy_evidence={folder / 'evidence.jsonl'}"]
    if chosen.evidence_dir:
        options += ["--set", f"airworthy_evidence_dir={folder / 'evidence'}", "--set", "airworthy_rotate=1MB"]
    yield started("mitmdump with Airworthy", upstream, options)
    if chosen.prism and (npm := shutil.which("npm")):
        yield prism_proxy(folder, upstream, npm)


@contextlib.contextmanager
def started(name: str, upstream: int, options: Sequence[str]) -> Iterator[Proxy]:
    port = free_port()
    program = str(Path(sys.executable).with_name("mitmdump"))
    mode = ["-q", "--mode", f"reverse:http://127.0.0.1:{upstream}@127.0.0.1:{port}"]
    with process([program, *mode, *options], port) as running:
        yield Proxy(name, port, running)


@contextlib.contextmanager
def prism_proxy(folder: Path, upstream: int, npm: str) -> Iterator[Proxy]:
    """Run Prism's proxy with the same contract; npm installs it on first use."""
    home = Path.home() / ".cache" / "airworthy-benchmarks"
    program = home / "node_modules" / ".bin" / "prism"
    if not program.exists():
        home.mkdir(parents=True, exist_ok=True)
        subprocess.run([npm, "install", "--silent", "--prefix", str(home), PRISM], check=True)
    document = folder / "v4.json"
    document.write_text(json.dumps(bundle("v4") | {"servers": [{"url": "/v4"}]}), encoding="utf-8")
    port = free_port()
    target = f"http://127.0.0.1:{upstream}/v4"
    command = [str(program), "proxy", str(document), target, "--port", str(port), "--errors", "false", "-v", "silent"]
    with process(command, port) as running:
        yield Proxy("Prism's proxy", port, running)


@contextlib.contextmanager
def process(command: Sequence[str], port: int) -> Iterator[subprocess.Popen[bytes]]:
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(port)
        yield running
    finally:
        running.terminate()
        running.wait(timeout=60)


def measure(proxy: Proxy, traffic: Traffic, seconds: float) -> None:
    """Load a proxy for some seconds; record its rate, its latencies and the processor time of an exchange."""
    before = [_cpu(each) for each in proxy.processes()]
    begun = time.perf_counter()
    latencies = asyncio.run(load(proxy.port, traffic, seconds))
    elapsed = time.perf_counter() - begun
    time.sleep(0.3)
    spent = [after - start for after, start in zip([_cpu(each) for each in proxy.processes()], before, strict=True)]
    proxy.rates.setdefault(traffic.name, []).append(len(latencies) / elapsed)
    proxy.latencies.setdefault(traffic.name, []).extend(latencies)
    for number, each in enumerate(spent[:2]):
        proxy.costs.setdefault(f"{traffic.name} {number}", []).append(each / max(1, len(latencies)))


async def load(port: int, traffic: Traffic, seconds: float = 0.0, exchanges: int = 0) -> list[float]:
    """Send requests over several connections for some seconds or exchanges; return the latencies in seconds."""
    latencies: list[float] = []
    until = time.perf_counter() + seconds

    def more() -> bool:
        return len(latencies) < exchanges if exchanges else time.perf_counter() < until

    async def client() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=4 * LARGE)
        while more():
            begun = time.perf_counter()
            writer.write(traffic.request)
            head = await reader.readuntil(b"\r\n\r\n")
            length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
            await reader.readexactly(int(length.partition(b":")[2]))
            if not head.startswith(b"HTTP/1.1 200"):
                raise SystemExit(f"port {port} responded {head[:80]!r}")
            latencies.append(time.perf_counter() - begun)
        writer.close()

    await asyncio.gather(*(client() for _ in range(CONNECTIONS)))
    return latencies


def row(proxy: Proxy, traffic: Traffic, alone: Proxy) -> tuple[str, ...]:
    """Return a row of the table; the ratio compares slices that were measured one after the other."""
    rates, others = proxy.rates[traffic.name], alone.rates[traffic.name]
    ratio = statistics.median(mine / other for mine, other in zip(rates, others, strict=True))
    latencies = sorted(proxy.latencies[traffic.name])
    costs = [proxy.costs.get(f"{traffic.name} {number}") for number in range(2)]
    return (
        proxy.name,
        f"{statistics.median(rates):.0f} ({min(rates):.0f} to {max(rates):.0f})",
        f"{100 * ratio:.0f} %",
        f"{1000 * latencies[len(latencies) // 2]:.1f} ms",
        f"{1000 * latencies[len(latencies) * 99 // 100]:.1f} ms",
        *(f"{1000 * statistics.median(cost):.2f} ms" if cost else "" for cost in costs),
    )


def memory(proxy: Proxy, traffic: Traffic, exchanges: int) -> None:
    """Print the memory of mitmdump and the judge process as exchanges pass."""
    rows = []
    step = max(1, exchanges // 5)
    for passed in range(0, exchanges + 1, step):
        if passed:
            asyncio.run(load(proxy.port, traffic, exchanges=step))
        rows.append((f"{passed:,}", *(f"{_resident(each):.0f} MB" for each in proxy.processes()[:2])))
    show(("exchanges", "mitmdump", "judge"), rows)


def wait_for(port: int) -> None:
    for _ in range(600):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.05)
    raise SystemExit(f"nothing listens on port {port}")


def _children(pid: int) -> list[int]:
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()]


def _cpu(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def _resident(pid: int) -> float:
    return int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) * _PAGE / 1e6


if __name__ == "__main__":
    main()
