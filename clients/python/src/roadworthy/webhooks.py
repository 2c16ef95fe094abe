"""Signatures of webhooks, as Standard Webhooks (https://www.standardwebhooks.com) has them: HMAC-SHA256 over `id.timestamp.body`."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import math
import re
import time
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol, Union, cast

from .errors import ConfigurationError, WebhookVerificationError

if TYPE_CHECKING:
    from .generated.published_types import FleetEvent

__all__ = ["WebhookHeaders", "sign", "verify"]

_PRESET_TOLERANCE_S = 300.0
# While a secret is replaced there are two of each. More would be somebody who lets us reckon.
_MAX_SIGNATURES = 8
_MAX_SECRETS = 8
_BASE64 = re.compile(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")
_TIMESTAMP = re.compile(r"[0-9]{1,12}")


class _HasItems(Protocol):
    def items(self) -> Iterable[tuple[str, str]]: ...


# A dict, or the headers of a request in Flask, Django, Starlette, aiohttp or httpx; or pairs, as `scope["headers"]` of ASGI has them in bytes.
WebhookHeaders = Union[_HasItems, Iterable[tuple[str, str]], Iterable[tuple[bytes, bytes]]]


def verify(
    payload: str | bytes | bytearray | memoryview,
    headers: WebhookHeaders,
    secret: str | Sequence[str],
    *,
    tolerance_s: float = _PRESET_TOLERANCE_S,
    now: datetime | None = None,
) -> FleetEvent:
    """
    The event, when the signature is that of one of the secrets and the message is not old. `payload` is the body as it came: the bytes or
    their text, never an object that was parsed and written again. `secret` is `whsec_…`; both while one takes the place of the other.
    `tolerance_s` is how old a message may be, or how far ahead by its clock. Raises `WebhookVerificationError`, to which 400 is the answer.
    """
    body = _bytes_of(payload)
    given = _named(headers)
    message_id, timestamp, signatures = (
        _header(given, name) for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
    )
    _check_age(timestamp, tolerance_s, now)
    received = [_from_base64(each[3:]) for each in [one for one in signatures.split(" ") if one.startswith("v1,")][:_MAX_SIGNATURES]]
    signed = _signed_bytes(message_id, timestamp, body)
    is_genuine = False
    # Each is compared with each, without an end at the first that fits: how long it takes says nothing of which.
    for key in _keys_of(secret):
        expected = hmac.new(key, signed, hashlib.sha256).digest()
        for signature in received:
            is_genuine |= signature is not None and hmac.compare_digest(expected, signature)
    if not is_genuine:
        raise WebhookVerificationError("invalid_signature", "No signature of the message fits a secret.")
    return _event_of(body)


def sign(payload: str | bytes | bytearray | memoryview, *, id: str, secret: str | Sequence[str], now: datetime | None = None) -> dict[str, str]:
    """The three headers of a message, for tests of a receiver."""
    timestamp = str(math.floor(_seconds(now)))
    signed = _signed_bytes(id, timestamp, _bytes_of(payload))
    signatures = [
        f"v1,{base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()}" for key in _keys_of(secret)
    ]
    return {"webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": " ".join(signatures)}


def _bytes_of(payload: object) -> bytes:
    if isinstance(payload, str):
        return payload.encode(errors="surrogatepass")
    if isinstance(payload, (bytes, bytearray, memoryview)):
        return bytes(payload)
    raise ConfigurationError("payload must be the body as it came, as str or bytes: written again from an object it may differ.")


def _named(headers: Any) -> dict[str, object]:
    """The headers by their names in small letters."""
    items = getattr(headers, "items", None)
    try:
        return {_text_of(name).lower(): value for name, value in map(_pair_of, headers if items is None else items())}
    except TypeError as error:
        raise ConfigurationError(f"headers must be a mapping of names to values, or pairs of both: {error}") from error


def _pair_of(pair: object) -> tuple[object, object]:
    if not isinstance(pair, (tuple, list)) or len(pair) != 2:
        raise TypeError(f"{type(pair).__name__} is no pair")
    return pair[0], pair[1]


def _text_of(text: object) -> str:
    if isinstance(text, str):
        return text
    if isinstance(text, bytes):
        # How HTTP's headers are read: each byte is a character, so none can fail.
        return text.decode("latin-1")
    raise TypeError(f"{type(text).__name__} is no text")


def _header(headers: dict[str, object], name: str) -> str:
    value = headers.get(name)
    text = _text_of(value) if isinstance(value, (str, bytes)) else ""
    if text == "":
        raise WebhookVerificationError("missing_header", f"The header {name} is missing.")
    return text


def _seconds(now: datetime | None) -> float:
    if now is None:
        return time.time()
    if now.tzinfo is None:
        raise ConfigurationError("now must have a time zone: datetime.now(timezone.utc).")
    return now.timestamp()


def _check_age(timestamp: str, tolerance_s: float, now: datetime | None) -> None:
    if not _TIMESTAMP.fullmatch(timestamp):
        raise WebhookVerificationError("invalid_timestamp", "webhook-timestamp is not in whole seconds.")
    if not tolerance_s >= 0:
        raise ConfigurationError("tolerance_s must be a number of seconds, 0 or more.")
    age_s = _seconds(now) - int(timestamp)
    if age_s > tolerance_s:
        raise WebhookVerificationError("too_old", f"The message is {round(age_s)} s old; {tolerance_s:g} s are taken.")
    if age_s < -tolerance_s:
        raise WebhookVerificationError("too_new", "The message is from later than now: compare the clocks.")


def _signed_bytes(message_id: str, timestamp: str, body: bytes) -> bytes:
    return f"{message_id}.{timestamp}.".encode(errors="surrogatepass") + body


def _keys_of(secret: str | Sequence[str]) -> list[bytes]:
    secrets = [secret] if isinstance(secret, str) else list(secret or [])
    if not 1 <= len(secrets) <= _MAX_SECRETS:
        raise ConfigurationError(f"secret must be one, or a list of 1 to {_MAX_SECRETS}.")
    keys = [_from_base64(each.removeprefix("whsec_")) if isinstance(each, str) else None for each in secrets]
    # An empty secret is refused: everybody could sign with it.
    if not all(keys):
        raise ConfigurationError("A secret must be as it was shown: whsec_ and base64.")
    return [key for key in keys if key is not None]


def _from_base64(text: str) -> bytes | None:
    if text == "" or not _BASE64.fullmatch(text):
        return None
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None


def _event_of(body: bytes) -> FleetEvent:
    try:
        event = json.loads(body.decode())
    except (ValueError, RecursionError) as error:
        raise WebhookVerificationError("invalid_payload", f"The body is no JSON: {error}") from None
    if not isinstance(event, dict) or not isinstance(event.get("event"), str):
        raise WebhookVerificationError("invalid_payload", "The body is no event.")
    return cast("FleetEvent", event)
