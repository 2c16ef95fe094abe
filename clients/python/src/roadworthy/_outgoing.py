"""What a call of a route sends."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode

from ._options import CallOptions
from ._route import Route
from ._version import __version__
from .errors import ConfigurationError
from .models import TrackingData

KEY_BYTES = 16
_PARAMETER = re.compile(r"\{(\w+)\}")
_PRINTABLE = re.compile(r"[\x20-\x7e]*")
_IDEMPOTENCY_KEY = re.compile(r"[\x20-\x7e]{1,255}")
_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_OF_THE_KEY = ("x-api-key", "authorization")


@dataclass(frozen=True)
class Outgoing:
    method: str
    url: str
    # Bodies hold passwords at times, headers an idempotency key: neither is for a log.
    headers: Mapping[str, str] = field(repr=False)
    content: bytes | None = field(repr=False)
    operation: str
    is_repeatable: bool


@dataclass(frozen=True)
class Call:
    route: Route[Any]
    parameters: Sequence[object] = ()
    """Of the path, in their order."""
    query: Mapping[str, object] | None = None
    body: object = field(default=None, repr=False)
    content_type: str | None = None
    accept: str | None = None
    options: CallOptions = CallOptions()


def outgoing_of(call: Call, base_url: str) -> Outgoing:
    route = call.route
    content, content_type = _content_of(call)
    return Outgoing(
        method=route.method,
        url=f"{base_url}{fill_path(route.path, call.parameters)}{query_string(call.query)}",
        headers=_headers_of(call, content_type),
        content=content,
        operation=route.operation,
        is_repeatable=route.is_repeatable,
    )


def fill_path(template: str, values: Sequence[object]) -> str:
    """The path with its parameters in place."""
    left = iter(values)
    return _PARAMETER.sub(lambda found: _segment(found[1], next(left)), template)


def _segment(name: str, value: object) -> str:
    """An empty segment would be another route, and dots would leave it: servers resolve them however they are encoded."""
    if not isinstance(value, str):
        raise ConfigurationError(f"{name} must be a str, not {type(value).__name__}.")
    if value in ("", ".", ".."):
        raise ConfigurationError(f"{name} must not be {'empty' if value == '' else repr(value)}.")
    try:
        return quote(value, safe="")
    except UnicodeEncodeError:
        raise ConfigurationError(f"{name} has half of a surrogate pair, which no text has.") from None


def query_string(query: Mapping[str, object] | None) -> str:
    """With a question mark, or empty. What is None is left out."""
    given = {name: _query_value(value) for name, value in (query or {}).items() if value is not None}
    return f"?{urlencode(given)}" if given else ""


def _query_value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(_query_value(each) for each in value)
    return str(value)


def _content_of(call: Call) -> tuple[bytes | None, str | None]:
    if call.body is None:
        return None, None
    if isinstance(call.body, (bytes, bytearray, memoryview)):
        return bytes(call.body), call.content_type or call.route.binary_type
    return to_json(call.body), "application/json"


def to_json(value: object) -> bytes:
    """Raises `ConfigurationError` for what JSON cannot hold."""
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_plain).encode()
    except (TypeError, ValueError, RecursionError) as error:
        reason = f"{type(error).__name__}: {error}" if isinstance(error, TypeError) else _reason_of(error)
    raise ConfigurationError(f"The body cannot be written as JSON: {reason}")


def _reason_of(error: Exception) -> str:
    # The words of these errors repeat the value at times.
    if isinstance(error, UnicodeEncodeError):
        return "a text has half of a surrogate pair."
    if isinstance(error, RecursionError):
        return "it is nested too deeply."
    return "it holds itself, or a number that is infinite or not a number."


def _plain(value: object) -> object:
    """The other mappings and sequences, which types of bodies allow, and the objects of `models`."""
    if isinstance(value, TrackingData):
        return value.to_body()
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Sequence):
        return list(value)
    raise TypeError(f"{type(value).__name__} is none of its types. Times are text, as in 2026-01-31T08:15:00Z.")


def _headers_of(call: Call, content_type: str | None) -> dict[str, str]:
    headers = {"accept": _accept_of(call), "user-agent": f"roadworthy-python/{__version__}"}
    if content_type is not None:
        headers["content-type"] = content_type
    for name, value in (call.options.headers or {}).items():
        _check_header(name, value)
        # Two keys in one request are refused, so a second one that was given among the headers is not sent.
        if name.lower() not in _OF_THE_KEY:
            headers[name.lower()] = value
    if call.route.takes_key:
        key = call.options.idempotency_key
        headers["idempotency-key"] = secrets.token_hex(KEY_BYTES) if key is None else _checked_key(key)
    return headers


def _accept_of(call: Call) -> str:
    if call.accept is not None:
        return call.accept
    if "events" in call.route.answers:
        return "text/event-stream"
    return "application/json" if call.route.answers == ("json",) else "*/*"


def _checked_key(key: object) -> str:
    if not isinstance(key, str) or not _IDEMPOTENCY_KEY.fullmatch(key):
        raise ConfigurationError("idempotency_key must be 1 to 255 printable ASCII characters.")
    return key


def _check_header(name: object, value: object) -> None:
    if not isinstance(name, str) or not _HEADER_NAME.fullmatch(name):
        raise ConfigurationError("headers must have names that HTTP allows: letters, digits and hyphens.")
    if not isinstance(value, str) or not _PRINTABLE.fullmatch(value):
        raise ConfigurationError(f"The header {name} must be a str of printable ASCII characters.")
