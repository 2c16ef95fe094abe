"""
Goal: what may be repeated is repeated, nothing else is, and never for longer than was allowed. Method: a real server that answers in turn
what the test gives it, and a clock that only the client's pauses move.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from conftest import Clock, Driver
from fault_server import Answer, FaultServer, cut_off, refuse, reply, reset, silence

from roadworthy import (
    AsyncRoadworthy,
    ConfigurationError,
    ConflictError,
    ConnectionError,
    RateLimitError,
    Roadworthy,
    RoadworthyError,
    ServerError,
    TimeoutError,
)

HEALTH = reply(200, {"status": "healthy"})
DEVICE = {"name": "Truck 17", "imei": "356938035643809"}


@pytest.mark.parametrize(
    "fault", [reset, cut_off, *(refuse(status, "unavailable") for status in (408, 429, 502, 503, 504))]
)
def test_what_passes_is_repeated_1_s_apart(driver: Driver, fault: Answer) -> None:
    driver.server.answer(fault, fault, fault, HEALTH)
    assert driver.get(driver.client().external.health.get())["status"] == "healthy"
    assert len(driver.server.seen) == 4
    assert driver.clock.slept == [1.0, 1.0, 1.0]


@pytest.mark.parametrize("status", [400, 401, 403, 404, 405, 409, 410, 413, 415, 422, 500, 501])
def test_other_refusals_are_not_repeated(driver: Driver, status: int) -> None:
    driver.server.answer(refuse(status, "some_code"))
    driver.error(RoadworthyError, lambda: driver.client().external.devices.register(DEVICE))
    assert (len(driver.server.seen), driver.clock.slept) == (1, [])


def test_there_are_3_repeats_or_as_many_as_were_asked_for(driver: Driver) -> None:
    client = driver.client()
    for repeats, given in ((3, {}), (0, {"max_retries": 0}), (5, {"max_retries": 5})):
        driver.server.answer(refuse(503, "unavailable"))
        driver.error(ServerError, client.external.health.get, **given)
        assert len(driver.server.seen) == repeats + 1


def test_retry_after_is_obeyed_in_seconds_as_a_date_and_in_the_body(driver: Driver) -> None:
    # By the clock of the answer: that of this machine is somewhere else.
    dates = {"date": "Thu, 01 Jan 2026 00:00:00 GMT", "retry-after": "Thu, 01 Jan 2026 00:00:12 GMT"}
    client = driver.client()
    for refusal in (
        refuse(429, "rate_limit_exceeded", headers={"retry-after": "7"}),
        refuse(503, "overloaded", headers=dates),
        refuse(503, "overloaded", {"retry_after": 3}),
        # Sooner than 1.0 s is not sooner.
        refuse(503, "overloaded", headers={"retry-after": "0"}),
        refuse(503, "overloaded", headers={"retry-after": "soon"}),
    ):
        driver.server.answer(refusal, HEALTH)
        driver.get(client.external.health.get())
    assert driver.clock.slept == [7.0, 12.0, 3.0, 1.0, 1.0]


def test_a_longer_retry_after_is_an_error_at_once(driver: Driver) -> None:
    driver.server.answer(refuse(429, "rate_limit_exceeded", headers={"retry-after": "61"}))
    error = driver.error(RateLimitError, lambda: driver.client().external.health.get())
    assert (error.retry_after_s, len(driver.server.seen), driver.clock.slept) == (61.0, 1, [])


def test_all_attempts_and_pauses_end_within_the_total(driver: Driver) -> None:
    client = driver.client(total_timeout_s=70)
    driver.server.answer(refuse(429, "rate_limit_exceeded", headers={"retry-after": "40"}))
    driver.error(RateLimitError, lambda: client.external.health.get())
    assert (len(driver.server.seen), driver.clock.slept) == (2, [40.0])


class TimingOut:
    """The network: the first attempts take all of their time, the next ones get through."""

    def __init__(self, clock: Clock, count: int) -> None:
        self.clock, self.count, self.limits = clock, count, list[float]()

    def pass_time(self, request: httpx.Request) -> httpx.Response:
        limit_s: float = request.extensions["timeout"]["read"]
        self.limits.append(limit_s)
        if len(self.limits) <= self.count:
            self.clock.now_s += limit_s
            raise httpx.ReadTimeout("timed out", request=request)
        return httpx.Response(200, json={"status": "healthy"})

    def http_client(self, is_async: bool) -> Any:
        transport = httpx.MockTransport(self.pass_time)
        return httpx.AsyncClient(transport=transport) if is_async else httpx.Client(transport=transport)


def test_an_attempt_has_60_s_and_is_repeated(driver: Driver) -> None:
    network = TimingOut(driver.clock, 2)
    client = driver.client(http_client=network.http_client(driver.is_async))
    driver.get(client.external.health.get())
    driver.get(client.external.health.get(timeout_s=2.5))
    assert (network.limits, driver.clock.slept) == ([60.0, 60.0, 60.0, 2.5], [1.0, 1.0])


def test_the_last_attempt_has_what_is_left_of_the_total(driver: Driver) -> None:
    network = TimingOut(driver.clock, 9)
    client = driver.client(http_client=network.http_client(driver.is_async), total_timeout_s=70)
    error = driver.error(TimeoutError, lambda: client.external.health.get())
    assert (network.limits, error.code) == ([60.0, 9.0], "timeout")


def test_a_silent_service_is_a_timeout(driver: Driver) -> None:
    driver.server.answer(silence)
    error = driver.error(TimeoutError, lambda: driver.client().external.health.get(timeout_s=0.05, max_retries=0))
    assert str(error) == "No answer within 0.05 s (GET /api/external/health)."


def test_an_answer_that_drips_ends_too(driver: Driver) -> None:
    seconds = iter(range(0, 10_000, 40))
    driver.server.answer(HEALTH)
    client = driver.client(monotonic=lambda: float(next(seconds)), max_retries=0, timeout_s=30)
    assert driver.error(TimeoutError, lambda: client.external.health.get()).code == "timeout"


def test_a_write_is_repeated_under_its_key_and_every_write_has_another(driver: Driver) -> None:
    registered = reply(200, {"success": True, "device_id": "dev-1"})
    client = driver.client()
    driver.server.answer(reset, refuse(503, "unavailable"), registered)
    driver.get(client.external.devices.register(DEVICE))
    keys = [seen.headers["idempotency-key"] for seen in driver.server.seen]
    assert len(keys) == 3 and len(set(keys)) == 1 and len(keys[0]) == 32
    assert [seen.json() for seen in driver.server.seen] == [DEVICE] * 3
    driver.server.answer(registered)
    driver.get(client.external.devices.register(DEVICE))
    driver.get(client.external.devices.register(DEVICE, idempotency_key="order 4711"))
    assert driver.server.seen[0].headers["idempotency-key"] != keys[0]
    assert driver.server.seen[1].headers["idempotency-key"] == "order 4711"
    for key in ("", "x" * 256, "ü", "a\nb"):
        driver.error(ConfigurationError, client.external.devices.register, DEVICE, idempotency_key=key)


def test_only_a_post_has_a_key_and_none_of_the_engine(driver: Driver) -> None:
    client = driver.client()
    calls: tuple[tuple[str, Callable[[], Any]], ...] = (
        ("PUT", lambda: client.external.devices.update("dev-1", {"name": "Truck"})),
        ("PATCH", lambda: client.platform.alerts.update("alr-1", {"status": "resolved"})),
        ("DELETE", lambda: client.external.vehicles.retire("veh-1")),
        ("POST", lambda: client.engine.predict({"vehicleId": "TRUCK-1"})),
    )
    for method, call in calls:
        driver.server.answer(reset, reply(200, {"id": "x"}))
        driver.get(call())
        assert [(seen.method, "idempotency-key" in seen.headers) for seen in driver.server.seen] == [(method, False)] * 2


def test_what_the_service_does_not_know_by_its_key_is_repeated_only_when_it_was_refused(driver: Driver) -> None:
    client = driver.client()

    def sign_in() -> Any:
        return client.platform.session.sign_in({"email": "a@example.com", "password": "secret"})

    for fault in (reset, refuse(502, "bad_gateway")):
        driver.server.answer(fault)
        driver.error(RoadworthyError, sign_in)
        assert len(driver.server.seen) == 1
    driver.server.answer(refuse(503, "draining"), reply(200, {"id": "x"}))
    driver.get(sign_in())
    assert len(driver.server.seen) == 2


def test_a_repeat_that_meets_its_first_attempt_at_work_waits_for_its_answer(driver: Driver) -> None:
    client = driver.client()
    at_work = refuse(409, "idempotency_in_progress", headers={"retry-after": "1"})
    driver.server.answer(reset, at_work, reply(200, {"device_id": "dev-1"}))
    assert driver.get(client.external.devices.register(DEVICE))["device_id"] == "dev-1"
    driver.server.answer(refuse(409, "device_exists"))
    driver.error(ConflictError, lambda: client.external.devices.register(DEVICE))


def test_a_service_that_is_not_there_is_a_connection_error(driver: Driver) -> None:
    gone = FaultServer()
    address = gone.url
    gone.stop()
    client = driver.client(base_url=address, max_retries=0)
    error = driver.error(ConnectionError, lambda: client.external.health.get())
    assert error.code == "connection_failed"
    assert str(error).startswith("The connection failed: ConnectError: ")
    assert str(error).endswith("(GET /api/external/health).")


def test_a_client_that_is_closed_says_so(driver: Driver) -> None:
    client = driver.client(http_client=None)
    driver.get(client.aclose() if driver.is_async else client.close())
    assert "closed" in str(driver.error(ConfigurationError, lambda: client.external.health.get()))


def test_a_call_that_is_cancelled_ends_at_once_and_is_not_repeated(server: FaultServer) -> None:
    async def cancel() -> None:
        server.answer(silence)
        async with AsyncRoadworthy(base_url=server.url, api_key="rw_live_key") as client:
            call = asyncio.ensure_future(client.external.health.get())
            while not server.seen:
                await asyncio.sleep(0.001)
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call

    asyncio.run(cancel())
    assert len(server.seen) == 1


def test_threads_share_a_client(server: FaultServer) -> None:
    server.answer(HEALTH)
    with Roadworthy(base_url=server.url, api_key="rw_live_key") as client, ThreadPoolExecutor(8) as threads:
        answers = [threads.submit(client.external.health.get) for _ in range(40)]
        assert [answer.result()["status"] for answer in answers] == ["healthy"] * 40
    assert len(server.seen) == 40
