"""`Roadworthy` and, for programs with an event loop, `AsyncRoadworthy`."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from types import TracebackType
from typing import Any, Literal, TypeVar

import httpx

from ._async_caller import AsyncCaller
from ._caller import Endpoints, endpoints_of, no_cookies
from ._options import CallOptions, RetryPolicy
from ._route import Route
from ._sync_caller import Caller
from .errors import ConfigurationError
from .generated.engine_api import EngineApi
from .generated.engine_async_api import AsyncEngineApi
from .generated.external_api import ExternalApi
from .generated.external_async_api import AsyncExternalApi
from .generated.platform_api import PlatformApi
from .generated.platform_async_api import AsyncPlatformApi
from .generated.sim_billing_api import SimBillingApi
from .generated.sim_billing_async_api import AsyncSimBillingApi

HttpMethod = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
Api = TypeVar("Api")
_PRESET = RetryPolicy()
_PATH = re.compile(r"/api/[^?#{}\\\s]+")


class _Client:
    """What both clients are: the surfaces that they were given an address for."""

    def __init__(self, endpoints: Endpoints) -> None:
        self._endpoints = endpoints

    def __repr__(self) -> str:
        addresses = [
            f"{name}={endpoint.base_url!r}"
            for name, endpoint in (("base_url", self._endpoints.by_key), ("engine_url", self._endpoints.engine))
            if endpoint is not None
        ]
        return f"{type(self).__name__}({', '.join(addresses)})"


def _required(surface: Api | None, missing: str) -> Api:
    if surface is None:
        raise ConfigurationError(f"{missing} not given to this client.")
    return surface


def _unknown_route(method: HttpMethod, path: str) -> Route[Any]:
    # Anything else would be read as a part of the host.
    if not isinstance(path, str) or not _PATH.fullmatch(path):
        raise ConfigurationError("path must begin with /api/, and have neither a query nor braces.")
    if method not in ("GET", "POST", "PUT", "PATCH", "DELETE"):
        raise ConfigurationError("method must be GET, POST, PUT, PATCH or DELETE.")
    return Route(method, path, takes_key=method == "POST")


class Roadworthy(_Client):
    """
    A client of one Roadworthy: `Roadworthy(base_url=…, api_key=…)`. It may be shared by threads, keeps nothing between calls but its
    connections, and shows its key nowhere: not in its `repr`, and in no error.

    `base_url` is where the service is, without a path of its API: `https://fleet.example.com`. `api_key` goes with it, and is sent nowhere else.
    `engine_url` is where the engine is, for `engine`; it takes no key and is sent none. `http_client` is one of your own, for example with a
    proxy or certificates; it is not closed here. `sleep` and `monotonic` are for tests. Raises `ConfigurationError` for what cannot work.
    """

    def __init__(
        self,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        engine_url: str | None = None,
        timeout_s: float = _PRESET.timeout_s,
        max_retries: int = _PRESET.max_retries,
        retry_delay_s: float = _PRESET.retry_delay_s,
        max_retry_after_s: float = _PRESET.max_retry_after_s,
        total_timeout_s: float = _PRESET.total_timeout_s,
        http_client: httpx.Client | None = None,
        sleep: Callable[[float], object] = time.sleep,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        policy = RetryPolicy(timeout_s, max_retries, retry_delay_s, max_retry_after_s, total_timeout_s)
        super().__init__(endpoints_of(base_url, api_key, engine_url, policy, monotonic))
        self._owns_http = http_client is None
        self._http = httpx.Client(cookies=no_cookies()) if http_client is None else http_client
        by_key, by_token, engine = (
            None if endpoint is None else Caller(endpoint, self._http, sleep)
            for endpoint in (self._endpoints.by_key, self._endpoints.by_token, self._endpoints.engine)
        )
        self._caller = by_token
        self._external = None if by_key is None else ExternalApi(by_key)
        self._platform = None if by_token is None else PlatformApi(by_token)
        self._sim_billing = None if by_key is None else SimBillingApi(by_key)
        self._engine = None if engine is None else EngineApi(engine)

    @property
    def external(self) -> ExternalApi:
        """Sub-clients, devices, vehicles and their readings."""
        return _required(self._external, "base_url and api_key were")

    @property
    def platform(self) -> PlatformApi:
        """What the dashboard does: health, incidents, maintenance, webhooks, people, keys."""
        return _required(self._platform, "base_url and api_key were")

    @property
    def sim_billing(self) -> SimBillingApi:
        """SIMs, invoices and payments."""
        return _required(self._sim_billing, "base_url and api_key were")

    @property
    def engine(self) -> EngineApi:
        """Predictions of the engine itself, which is asked without a key."""
        return _required(self._engine, "engine_url was")

    def request(
        self,
        method: HttpMethod,
        path: str,
        *,
        query: Mapping[str, object] | None = None,
        body: object = None,
        timeout_s: float | None = None,
        max_retries: int | None = None,
        headers: Mapping[str, str] | None = None,
        idempotency_key: str | None = None,
    ) -> Any:
        """
        An operation that this package does not know yet: `request("GET", "/api/v1/geofences", query={"limit": 10})`. It is answered with the JSON
        of the service; repeats, time-outs, errors and the `Idempotency-Key` of a POST are as everywhere.
        """
        caller = _required(self._caller, "base_url and api_key were")
        options = CallOptions(timeout_s, max_retries, headers, idempotency_key)
        return caller.call(_unknown_route(method, path), query=query, body=body, options=options)

    def close(self) -> None:
        if self._owns_http:
            self._http.close()

    def __enter__(self) -> Roadworthy:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


class AsyncRoadworthy(_Client):
    """
    `Roadworthy` for asyncio: the same surfaces, methods and options, with `await` and `async for`. Under trio give `sleep=trio.sleep`.
    `http_client` is an `httpx.AsyncClient`. A call that is cancelled ends at once.
    """

    def __init__(
        self,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        engine_url: str | None = None,
        timeout_s: float = _PRESET.timeout_s,
        max_retries: int = _PRESET.max_retries,
        retry_delay_s: float = _PRESET.retry_delay_s,
        max_retry_after_s: float = _PRESET.max_retry_after_s,
        total_timeout_s: float = _PRESET.total_timeout_s,
        http_client: httpx.AsyncClient | None = None,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        policy = RetryPolicy(timeout_s, max_retries, retry_delay_s, max_retry_after_s, total_timeout_s)
        super().__init__(endpoints_of(base_url, api_key, engine_url, policy, monotonic))
        self._owns_http = http_client is None
        self._http = httpx.AsyncClient(cookies=no_cookies()) if http_client is None else http_client
        by_key, by_token, engine = (
            None if endpoint is None else AsyncCaller(endpoint, self._http, sleep)
            for endpoint in (self._endpoints.by_key, self._endpoints.by_token, self._endpoints.engine)
        )
        self._caller = by_token
        self._external = None if by_key is None else AsyncExternalApi(by_key)
        self._platform = None if by_token is None else AsyncPlatformApi(by_token)
        self._sim_billing = None if by_key is None else AsyncSimBillingApi(by_key)
        self._engine = None if engine is None else AsyncEngineApi(engine)

    @property
    def external(self) -> AsyncExternalApi:
        """Sub-clients, devices, vehicles and their readings."""
        return _required(self._external, "base_url and api_key were")

    @property
    def platform(self) -> AsyncPlatformApi:
        """What the dashboard does: health, incidents, maintenance, webhooks, people, keys."""
        return _required(self._platform, "base_url and api_key were")

    @property
    def sim_billing(self) -> AsyncSimBillingApi:
        """SIMs, invoices and payments."""
        return _required(self._sim_billing, "base_url and api_key were")

    @property
    def engine(self) -> AsyncEngineApi:
        """Predictions of the engine itself, which is asked without a key."""
        return _required(self._engine, "engine_url was")

    async def request(
        self,
        method: HttpMethod,
        path: str,
        *,
        query: Mapping[str, object] | None = None,
        body: object = None,
        timeout_s: float | None = None,
        max_retries: int | None = None,
        headers: Mapping[str, str] | None = None,
        idempotency_key: str | None = None,
    ) -> Any:
        """As `Roadworthy.request`."""
        caller = _required(self._caller, "base_url and api_key were")
        options = CallOptions(timeout_s, max_retries, headers, idempotency_key)
        return await caller.call(_unknown_route(method, path), query=query, body=body, options=options)

    async def aclose(self) -> None:
        if self._owns_http:
            await self._http.aclose()

    async def __aenter__(self) -> AsyncRoadworthy:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()
