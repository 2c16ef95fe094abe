"""What a client and a call are given, checked before anything is sent."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple
from urllib.parse import urlsplit

from .errors import ConfigurationError


class CallOptions(NamedTuple):
    """Of one call. What is None is as of the client."""

    timeout_s: float | None = None
    max_retries: int | None = None
    headers: Mapping[str, str] | None = None
    idempotency_key: str | None = None


@dataclass(frozen=True)
class RetryPolicy:
    timeout_s: float = 60.0
    """Of one attempt. Spec §7.3: 60 s."""
    max_retries: int = 3
    """After the first attempt. Spec §7.3: 3."""
    retry_delay_s: float = 1.0
    """Between attempts, unless the service asks for more by `Retry-After`. Spec §7.3: 1.0 s."""
    max_retry_after_s: float = 60.0
    """A longer `Retry-After` is not waited for. The default limit of a key is 60 calls in any 60 s: within a minute there is another."""
    total_timeout_s: float = 300.0
    """Of all attempts and the pauses between them."""

    def __post_init__(self) -> None:
        for name in ("timeout_s", "retry_delay_s", "max_retry_after_s", "total_timeout_s"):
            if not _is_number(getattr(self, name)):
                raise ConfigurationError(f"{name} must be a number of seconds, 0 or more.")
        if isinstance(self.max_retries, bool) or not isinstance(self.max_retries, int) or self.max_retries < 0:
            raise ConfigurationError("max_retries must be a whole number, 0 or more.")
        if self.timeout_s == 0 or self.total_timeout_s == 0:
            raise ConfigurationError("timeout_s and total_timeout_s must be more than 0.")

    def of_call(self, options: CallOptions) -> RetryPolicy:
        if options.timeout_s is None and options.max_retries is None:
            return self
        timeout_s = self.timeout_s if options.timeout_s is None else options.timeout_s
        max_retries = self.max_retries if options.max_retries is None else options.max_retries
        return replace(self, timeout_s=timeout_s, max_retries=max_retries)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value) and value >= 0


class ApiKey:
    """A key that no `repr`, log or traceback with local variables shows."""

    __slots__ = ("_value",)

    def __init__(self, value: object) -> None:
        if not isinstance(value, str) or value == "":
            raise ConfigurationError(
                "api_key is missing. Keys are made in the dashboard under Settings, API keys; keep yours in the environment."
            )
        # What a header can carry, and no key of ours has: spaces, and what is not ASCII.
        if not all("\x21" <= character <= "\x7e" for character in value):
            raise ConfigurationError(
                "api_key has a space, a line break or another character that no key has. Was it read from a file?"
            )
        self._value = value

    def reveal(self) -> str:
        return self._value

    def redact(self, text: str) -> str:
        return text.replace(self._value, "[API key]")

    def __repr__(self) -> str:
        return "[API key]"

    def __reduce__(self) -> tuple[object, ...]:
        raise TypeError("A client of Roadworthy holds an API key and is not pickled: make one in each process.")


_EXAMPLE = "for example https://fleet.example.com"
_PATHS_OF_APIS = ("/api", "/api/external", "/api/v1", "/api/sim-billing", "/v1", "/v2")


def check_address(name: str, value: object) -> str:
    """The address without a slash at its end. What would only show later, as a 404 of every call, is refused here."""
    if not isinstance(value, str) or value == "":
        raise ConfigurationError(f"{name} must be an address, {_EXAMPLE}.")
    try:
        url = urlsplit(value)
        port = url.port
    except ValueError:
        # Without the value: it may hold a password.
        raise ConfigurationError(f"{name} is no address: write it with http:// or https://, {_EXAMPLE}.") from None
    if url.scheme not in ("http", "https"):
        raise ConfigurationError(f"{name} must begin with https:// or http://.")
    if url.username is not None or url.password is not None:
        raise ConfigurationError(f"{name} must not hold a user or a password.")
    if not url.hostname or any(character.isspace() for character in value):
        raise ConfigurationError(f"{name} is no address: write it with a host, {_EXAMPLE}.")
    if "?" in value or "#" in value:
        raise ConfigurationError(f"{name} must not have a query or a fragment.")
    path = url.path.rstrip("/")
    for known in sorted(_PATHS_OF_APIS, key=len, reverse=True):
        if path.endswith(known):
            raise ConfigurationError(f"{name} must end before {known}: the client adds that itself.")
    host = f"[{url.hostname}]" if ":" in url.hostname else url.hostname
    return f"{url.scheme}://{host}{'' if port is None else f':{port}'}{path}"
