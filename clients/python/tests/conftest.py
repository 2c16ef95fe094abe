from __future__ import annotations

import asyncio
import inspect
import ssl
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from fault_server import FaultServer

from roadworthy import AsyncRoadworthy, Roadworthy

KEY = "rw_live_4d9aXk20bQz7"
# Reading the certificates of all authorities takes most of the time of making a client, and nothing here is encrypted.
TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


class Clock:
    """Time that passes only where the client sleeps."""

    def __init__(self) -> None:
        self.slept: list[float] = []
        self.now_s = 0.0

    def monotonic(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now_s += seconds

    async def async_sleep(self, seconds: float) -> None:
        self.sleep(seconds)


class Driver:
    """One of the two clients, called as if both were the one without `await`, so that a test holds for both."""

    def __init__(self, is_async: bool, server: FaultServer, clock: Clock) -> None:
        self.is_async = is_async
        self.server = server
        self.clock = clock
        self._loop = asyncio.new_event_loop() if is_async else None
        self._made: list[Any] = []
        self._http: list[Any] = []

    def client(self, **options: Any) -> Any:
        given = {"base_url": self.server.url, "engine_url": self.server.url, "api_key": KEY, "monotonic": self.clock.monotonic}
        if "http_client" not in options:
            options["http_client"] = httpx.AsyncClient(verify=TLS) if self.is_async else httpx.Client(verify=TLS)
            self._http.append(options["http_client"])
        sleep = self.clock.async_sleep if self.is_async else self.clock.sleep
        made: Any = (AsyncRoadworthy if self.is_async else Roadworthy)(**{**given, "sleep": sleep, **options})
        self._made.append(made)
        return made

    def get(self, called: Any) -> Any:
        """What a call answers."""
        return self._loop.run_until_complete(called) if self._loop is not None and inspect.isawaitable(called) else called

    def error(self, expected: type[BaseException], call: Callable[..., Any], *given: Any, **named: Any) -> Any:
        with pytest.raises(expected) as found:
            self.get(call(*given, **named))
        return found.value

    def items(self, iterator: Any, count: int | None = None) -> list[Any]:
        """All that an iteration gives, or the first of it."""
        if self._loop is None:
            found: list[Any] = []
            for item in iterator:
                found.append(item)
                if len(found) == count:
                    iterator.close()
                    break
            return found
        return self._loop.run_until_complete(_items_of(iterator, count))

    def close(self) -> None:
        for made in [*self._made, *self._http]:
            self.get(made.aclose() if self.is_async else made.close())
        if self._loop is not None:
            # As `asyncio.run` does: httpx leaves generators inside of the one that is closed.
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
            self._loop.close()


async def _items_of(iterator: Any, count: int | None) -> list[Any]:
    found: list[Any] = []
    async for item in iterator:
        found.append(item)
        if len(found) == count:
            await iterator.aclose()
            break
    return found


@pytest.fixture(scope="session")
def _server() -> Iterator[FaultServer]:
    server = FaultServer()
    yield server
    server.stop()


@pytest.fixture
def server(_server: FaultServer) -> FaultServer:
    _server.answer(lambda handler, seen: handler.reset())
    return _server


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=[False, True], ids=["sync", "async"])
def driver(request: pytest.FixtureRequest, server: FaultServer, clock: Clock) -> Iterator[Driver]:
    made = Driver(request.param, server, clock)
    yield made
    made.close()
