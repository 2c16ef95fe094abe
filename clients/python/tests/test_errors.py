"""Goal: code that catches an error knows by its class and code what to do, no matter which server or proxy answered; no error contains a key."""

from __future__ import annotations

import pickle
import traceback
from typing import Any

import httpx
import pytest
from conftest import KEY, Driver
from fault_server import Answer, FaultServer, Handler, Seen, raw, refuse, reply

import roadworthy as rw


@pytest.mark.parametrize(
    ("status", "code", "expected"),
    [
        (400, "invalid_request", rw.ValidationError),
        (401, "invalid_api_key", rw.AuthenticationError),
        (403, "missing_scope", rw.PermissionError),
        (403, "sub_client_suspended", rw.PermissionError),
        (403, "subscription_required", rw.SubscriptionError),
        (403, "quota_exceeded", rw.QuotaError),
        (404, "device_not_found", rw.NotFoundError),
        (405, "method_not_allowed", rw.ValidationError),
        (408, "timeout", rw.TimeoutError),
        (409, "device_exists", rw.ConflictError),
        (410, "gone", rw.NotFoundError),
        (413, "payload_too_large", rw.ValidationError),
        (415, "unsupported_media_type", rw.ValidationError),
        (422, "idempotency_conflict", rw.ConflictError),
        (429, "rate_limit_exceeded", rw.RateLimitError),
        (500, "server_error", rw.ServerError),
        (503, "unavailable", rw.ServerError),
    ],
)
def test_each_status_is_a_class(driver: Driver, status: int, code: str, expected: type[rw.RoadworthyError]) -> None:
    driver.server.answer(refuse(status, code))
    error = driver.error(rw.RoadworthyError, lambda: driver.client(max_retries=0).external.devices.get("dev-1"))
    assert type(error) is expected
    assert (error.status, error.code, error.request_id) == (status, code, "req-1")
    assert str(error) == f"{status} {code}: refused as {code}. (GET /api/external/devices/{{device_id}}, request req-1)"


def test_both_bodies_are_understood_with_all_that_they_hold(driver: Driver) -> None:
    client = driver.client(max_retries=0)
    details = {"required_scope": "devices:read"}
    wire = {"code": "quota_exceeded", "message": "Used up.", "request_id": "req-7", "action_required": "upgrade_plan"}
    for body in ({"success": False, "error": {**wire, "retry_after": 60, "details": details}}, {"error": {**wire, "retry_after": 60, "details": details}}):
        driver.server.answer(reply(403, body))
        error = driver.error(rw.QuotaError, lambda: client.platform.vehicles.list())
        assert isinstance(error, rw.PermissionError)
        assert (error.request_id, error.action_required, error.retry_after_s) == ("req-7", "upgrade_plan", 60)
        assert error.details == details
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), str(again), again.details) == (rw.QuotaError, str(error), details)
    sentence = "overloaded: The engine has more to do than it can answer in time."
    driver.server.answer(reply(503, {"error": sentence}, {"retry-after": "1"}))
    error = driver.error(rw.ServerError, lambda: client.engine.inference.model("turbofan"))
    assert (error.code, error.retry_after_s) == ("overloaded", 1.0)


WRONG_TYPES = '{"error":{"code":7,"message":"?","request_id":{},"details":[1],"retry_after":"x"}}'
ENDLESS = '{"error":{"code":"a","message":"?","retry_after":Infinity}}'


@pytest.mark.parametrize(
    ("answer", "code", "status"),
    [
        (raw(502, "text/html", "<h1>Bad gateway</h1>"), "http_502", 502),
        (raw(404, "application/json", '"nothing"'), "http_404", 404),
        (raw(404, "application/json", '{"error":'), "http_404", 404),
        (raw(404, "application/json", "[" * 100_000), "http_404", 404),
        (raw(400, "application/json", WRONG_TYPES), "unknown", 400),
        (raw(400, "application/json", ENDLESS), "a", 400),
        (raw(403, "application/json", '{"error":null}'), "http_403", 403),
        (raw(400, "application/json", '{"error":{"code":"__class__","message":"?"}}'), "__class__", 400),
        (raw(503, "", ""), "http_503", 503),
        (raw(500, "application/json", b"\xff\xfe"), "http_500", 500),
        (raw(200, "text/html", "<h1>Welcome</h1>"), "unexpected_answer", 200),
        (raw(200, "application/json", '{"devices":['), "unexpected_answer", 200),
        (raw(200, "application/json", ""), "unexpected_answer", 200),
        (raw(200, "application/json", "[" * 100_000), "unexpected_answer", 200),
        (raw(200, "application/json", "no gzip", {"content-encoding": "gzip"}), "connection_failed", None),
    ],
)
def test_an_answer_that_is_not_of_roadworthy_is_an_error_like_any_other(
    driver: Driver, answer: Answer, code: str, status: int | None
) -> None:
    driver.server.answer(answer)
    error = driver.error(rw.RoadworthyError, lambda: driver.client(max_retries=0).external.devices.list())
    assert (error.code, error.status, error.retry_after_s) == (code, status, None)
    assert "GET /api/external/devices" in str(error)


def test_a_redirect_is_not_followed(driver: Driver) -> None:
    other = FaultServer()
    other.answer(reply(200, {"devices": []}))
    for status in (301, 302, 303, 307, 308):
        driver.server.answer(raw(status, "text/plain", "", {"location": f"{other.url}/api/external/devices"}))
        error = driver.error(rw.UnexpectedAnswerError, lambda: driver.client().external.devices.list())
        assert (error.code, error.status) == ("redirected", status)
        assert other.url in str(error)
    other.stop()
    assert other.seen == []


def test_the_key_is_sent_as_its_surface_wants_it_whatever_a_call_adds(driver: Driver) -> None:
    driver.server.answer(raw(200, "application/json", '{"status":"ok"}', {"set-cookie": "session=1; Path=/"}))
    headers = {"Authorization": "Bearer other", "X-API-KEY": "other", "X-Trace": "abc"}
    client = driver.client(http_client=None)
    for called in (client.external.health, client.sim_billing.price_list, client.platform.plan, client.engine.health):
        driver.get(called.get(headers=headers))
    sent = [[seen.headers.get(name) for name in ("x-api-key", "authorization", "x-trace", "cookie")] for seen in driver.server.seen]
    of_key = [KEY, None, "abc", None]
    assert sent == [of_key, of_key, [None, f"Bearer {KEY}", "abc", None], [None, None, "abc", None]]


def test_a_client_of_httpx_of_the_callers_own_sends_no_second_key(driver: Driver) -> None:
    driver.server.answer(reply(200, {"status": "ok"}))
    headers = {"Authorization": "Bearer other", "X-API-Key": "other", "X-Tenant": "a"}
    made = httpx.AsyncClient if driver.is_async else httpx.Client
    http: Any = made(headers=headers, auth=("user", "password"), follow_redirects=True)
    client = driver.client(http_client=http)
    driver.get(client.external.health.get())
    driver.get(client.platform.plan.get())
    sent = [[seen.headers.get(name) for name in ("x-api-key", "authorization", "x-tenant")] for seen in driver.server.seen]
    assert sent == [[KEY, None, "a"], [None, f"Bearer {KEY}", "a"]]
    # It is the caller's to close.
    driver.get(client.aclose() if driver.is_async else client.close())
    assert not http.is_closed
    driver.get(http.aclose() if driver.is_async else http.close())


def _echo(handler: Handler, seen: Seen) -> None:
    sent = seen.headers.get("x-api-key", "")
    raw(302, "text/plain", "", {"location": f"https://example.com/?key={sent}"})(handler, seen)


def test_the_key_is_in_no_error_and_in_no_picture_of_the_client(driver: Driver) -> None:
    client = driver.client(max_retries=0)
    shown = [repr(client), str(vars(client)), repr(vars(client.external)), repr(vars(client._endpoints.by_key))]
    with pytest.raises(TypeError, match="not pickled"):
        pickle.dumps(client._endpoints)
    # A server that repeats what it was sent, in each place.
    for answer in (
        refuse(401, "invalid_api_key", {"details": {"key": KEY}, "request_id": KEY}),
        reply(401, {"error": {"code": "invalid_api_key", "message": f"The key {KEY} is unknown."}}),
        raw(401, f"text/{KEY}", "?", {"x-request-id": KEY}),
        raw(200, f"text/{KEY}", KEY, {"x-request-id": KEY}),
        raw(200, "application/json", f'{{"{KEY}'),
        _echo,
    ):
        driver.server.answer(answer)
        shown += _all_of(driver.error(rw.RoadworthyError, lambda: client.external.devices.list()))

    def fail(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError(f"cannot send {request.headers['x-api-key']}", request=request)

    transport = httpx.MockTransport(fail)
    http = httpx.AsyncClient(transport=transport) if driver.is_async else httpx.Client(transport=transport)
    failing = driver.client(http_client=http, max_retries=0)
    shown += _all_of(driver.error(rw.ConnectionError, lambda: failing.external.devices.list()))
    assert len(shown) == 25
    for text in shown:
        assert KEY not in text


def _all_of(error: rw.RoadworthyError) -> list[str]:
    # An error of httpx holds the request; a chain that leads to one would show it to what collects errors.
    assert error.__cause__ is None and error.__context__ is None
    return [repr(error), str(vars(error)), "".join(traceback.TracebackException.from_exception(error, capture_locals=True).format())]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "Give base_url with api_key, or engine_url"),
        ({"api_key": KEY}, "api_key goes with base_url"),
        ({"base_url": "https://a.example"}, "api_key is missing"),
        ({"base_url": "https://a.example", "api_key": f"{KEY}\n"}, "line break"),
        ({"base_url": "a.example", "api_key": KEY}, "must begin with https"),
        ({"base_url": "ftp://a.example", "api_key": KEY}, "must begin with https"),
        ({"base_url": f"https://a:{KEY}@a.example", "api_key": KEY}, "must not hold a user"),
        ({"base_url": "https://a.example?x=1", "api_key": KEY}, "must not have a query"),
        ({"base_url": "https://a.example/api/v1/", "api_key": KEY}, "must end before /api/v1"),
        ({"base_url": "https://a.example/api/external", "api_key": KEY}, "must end before /api/external"),
        ({"base_url": "https://", "api_key": KEY}, "with a host"),
        ({"base_url": f"https://[{KEY}", "api_key": KEY}, "is no address"),
        ({"engine_url": "http://localhost:8090/v1"}, "must end before /v1"),
        ({"engine_url": "http://localhost:8090", "timeout_s": 0}, "more than 0"),
        ({"engine_url": "http://localhost:8090", "timeout_s": float("nan")}, "number of seconds"),
        ({"engine_url": "http://localhost:8090", "max_retries": 1.5}, "whole number"),
        ({"engine_url": "http://localhost:8090", "retry_delay_s": -1}, "number of seconds"),
    ],
)
def test_what_cannot_work_is_refused_when_the_client_is_made(given: dict[str, Any], words: str) -> None:
    for made in (rw.Roadworthy, rw.AsyncRoadworthy):
        with pytest.raises(rw.ConfigurationError, match=words) as found:
            made(**given)
        assert KEY not in str(found.value)


def test_what_a_call_cannot_send_is_refused(driver: Driver) -> None:
    client = driver.client()
    for identifier in ("", ".", "..", None, 7, "\ud800"):
        driver.error(rw.ConfigurationError, client.external.devices.get, identifier)
    for name in (float("nan"), {1, 2}, "\ud800", object()):
        driver.error(rw.ConfigurationError, client.external.devices.register, {"name": name})
    for headers in ({"a b": "c"}, {"x": "a\r\nb: c"}, {"x": "ü"}, {"x": 1}):
        driver.error(rw.ConfigurationError, client.external.health.get, headers=headers)
    driver.error(rw.ConfigurationError, lambda: client.external.health.get(timeout_s=-1))
    for path in ("devices", "//evil.example/api/", "/api/v1/a?b", "/api/{a}"):
        driver.error(rw.ConfigurationError, client.request, "GET", path)
    assert driver.server.seen == []


def test_what_is_no_object_with_fields_is_no_answer(driver: Driver) -> None:
    client = driver.client()
    nothing: tuple[object, ...] = ({}, [], None, True, "ok", 0)
    for answer in nothing:
        driver.server.answer(reply(200, answer))
        error = driver.error(rw.UnexpectedAnswerError, lambda: client.external.telemetry.send({"device_id": "dev-1", "speed": 1}))
        assert "no object with fields" in str(error)


def test_an_identifier_stays_one_segment(driver: Driver) -> None:
    driver.server.answer(reply(200, {"status": "ok"}))
    client = driver.client()
    driver.get(client.external.devices.get("a/../b?c#d%2e ü"))
    driver.get(client.platform.vehicles.list(health_status="critical", search="a&b=c", limit=5, after=None))
    assert [seen.url for seen in driver.server.seen] == [
        "/api/external/devices/a%2F..%2Fb%3Fc%23d%252e%20%C3%BC",
        "/api/v1/vehicles?healthStatus=critical&search=a%26b%3Dc&limit=5",
    ]


def test_a_surface_without_an_address_says_which_is_missing() -> None:
    with rw.Roadworthy(engine_url="http://localhost:8090") as client:
        with pytest.raises(rw.ConfigurationError, match="base_url and api_key were not given"):
            _ = client.external
        assert repr(client) == "Roadworthy(engine_url='http://localhost:8090')"
    with rw.Roadworthy(base_url="https://a.example/fleet/", api_key=KEY) as client:
        with pytest.raises(rw.ConfigurationError, match="engine_url was not given"):
            _ = client.engine
        assert repr(client) == "Roadworthy(base_url='https://a.example/fleet')"


def test_an_operation_that_is_not_known_yet_is_asked_by_its_path(driver: Driver) -> None:
    driver.server.answer(reply(200, {"geofences": []}))
    client = driver.client()
    assert driver.get(client.request("GET", "/api/v1/geofences", query={"limit": 10, "all": True})) == {"geofences": []}
    driver.get(client.request("POST", "/api/v1/geofences", body={"name": "Depot"}))
    first, second = driver.server.seen
    assert (first.url, first.headers["authorization"]) == ("/api/v1/geofences?limit=10&all=true", f"Bearer {KEY}")
    assert (second.json(), "idempotency-key" in first.headers, "idempotency-key" in second.headers) == ({"name": "Depot"}, False, True)
