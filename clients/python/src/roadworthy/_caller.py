"""What both callers share: where a surface is, how it is signed in at, and how a call becomes steps."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any

import httpx

from ._answer import parse_json, read_answer
from ._batches import BatchAnswer, send_in_parts
from ._options import ApiKey, CallOptions, RetryPolicy, check_address
from ._outgoing import Call, outgoing_of
from ._route import Route
from ._send import Answer, Lost, Sending, Steps, lost_error, send
from .errors import ConfigurationError, ConnectionError


class KeyAuth(httpx.Auth):
    """Sets the key when a request is sent: what is built before, and may be shown, does not hold it."""

    def __init__(self, key: ApiKey, is_bearer: bool) -> None:
        self._key = key
        self._is_bearer = is_bearer

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        # A client of the caller's own may have set the other one.
        for name in ("x-api-key", "authorization"):
            request.headers.pop(name, None)
        if self._is_bearer:
            request.headers["authorization"] = f"Bearer {self._key.reveal()}"
        else:
            request.headers["x-api-key"] = self._key.reveal()
        yield request


@dataclass(frozen=True)
class Endpoint:
    base_url: str
    auth: KeyAuth | None
    """None at the engine, which has no keys."""
    policy: RetryPolicy
    monotonic: Callable[[], float]
    redact: Callable[[str], str]

    def steps(self, call: Call, is_streamed: bool = False) -> Steps[Answer]:
        policy = self.policy.of_call(call.options)
        return send(outgoing_of(call, self.base_url), Sending(policy, self.monotonic, self.redact), is_streamed)

    def json_steps(self, call: Call) -> Steps[Any]:
        answer = yield from self.steps(call)
        return read_answer(answer, call.route, self.redact)

    def batch_steps(self, route: Route[Any], items: Sequence[Any], options: CallOptions) -> Steps[BatchAnswer]:
        batch = route.batch
        if batch is None:
            raise AssertionError(f"{route.operation} is no batch")

        def send_part(part: Sequence[Any], part_options: CallOptions) -> Steps[BatchAnswer]:
            answer = yield from self.steps(Call(route, body={batch.key: part}, options=part_options))
            found: BatchAnswer = parse_json(answer, route, self.redact)
            return found

        return send_in_parts(items, batch, self.policy.of_call(options), options, send_part)

    def lost(self, error: Exception) -> Lost:
        name = type(error).__name__
        text = str(error)
        reason = self.redact(f"{name}: {text}" if text else name)
        return Lost(reason, isinstance(error, httpx.TimeoutException))

    def broken(self, error: Exception, route: Route[Any], options: CallOptions) -> ConnectionError:
        """Of a stream that was open."""
        return lost_error(self.lost(error), self.policy.of_call(options).timeout_s, route.operation)


# What httpx raises for a connection, an address or an answer that is none. A body that cannot be decoded is among them.
LOSSES = (httpx.HTTPError, httpx.InvalidURL)


def no_cookies() -> CookieJar:
    """The key says who calls; a cookie that signing in set would say it a second time, to every later call."""
    return CookieJar(DefaultCookiePolicy(allowed_domains=[]))


@dataclass(frozen=True)
class Endpoints:
    """By surface; None is what this client was not given."""

    by_key: Endpoint | None
    by_token: Endpoint | None
    engine: Endpoint | None


def endpoints_of(
    base_url: str | None, api_key: str | None, engine_url: str | None, policy: RetryPolicy, monotonic: Callable[[], float]
) -> Endpoints:
    if base_url is None and api_key is not None:
        raise ConfigurationError("api_key goes with base_url, which is missing.")
    if base_url is None and engine_url is None:
        raise ConfigurationError("Give base_url with api_key, or engine_url, or all three.")
    by_key = by_token = engine = None
    if base_url is not None:
        address, key = check_address("base_url", base_url), ApiKey(api_key)
        by_key = Endpoint(address, KeyAuth(key, is_bearer=False), policy, monotonic, key.redact)
        by_token = Endpoint(address, KeyAuth(key, is_bearer=True), policy, monotonic, key.redact)
    if engine_url is not None:
        engine = Endpoint(check_address("engine_url", engine_url), None, policy, monotonic, str)
    return Endpoints(by_key, by_token, engine)
