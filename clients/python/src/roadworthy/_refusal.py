"""
The error of a refusal, from either body that the service has: `{success: false, error: {…}}` of the External API and `{error: {…}}` of
the others, or from whatever a proxy in front of it answered.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any

from .errors import (
    AuthenticationError,
    ConflictError,
    NotFoundError,
    PermissionError,
    QuotaError,
    RateLimitError,
    RoadworthyError,
    ServerError,
    SubscriptionError,
    TimeoutError,
    UnexpectedAnswerError,
    ValidationError,
)

_BY_STATUS: Mapping[int, type[RoadworthyError]] = {
    401: AuthenticationError,
    403: PermissionError,
    404: NotFoundError,
    408: TimeoutError,
    409: ConflictError,
    410: NotFoundError,
    429: RateLimitError,
}
_BY_CODE: Mapping[str, type[RoadworthyError]] = {
    "subscription_required": SubscriptionError,
    "quota_exceeded": QuotaError,
    "idempotency_conflict": ConflictError,
}
_SERVER_ERRORS_FROM = 500
_SECONDS = re.compile(r"\d+(\.\d+)?")
_SENTENCE = re.compile(r"([a-z_]+): (.*)", re.DOTALL)


def error_of_refusal(
    status: int, headers: Mapping[str, str], body: bytes, operation: str, redact: Callable[[str], str]
) -> RoadworthyError:
    if 300 <= status < 400:
        target = headers.get("location")
        to = "elsewhere" if target is None else f"to {redact(target)}"
        return UnexpectedAnswerError(
            f"The server redirects {to} ({operation}). Redirects are not followed: give the final address.",
            code="redirected",
            status=status,
        )
    wire = _wire_error(redact(body.decode(errors="replace")))
    code = str(wire.get("code", f"http_{status}"))
    request_id = wire.get("request_id", _request_id(headers, redact))
    of_another = f"the answer is not that of Roadworthy ({redact(headers.get('content-type', 'without a type'))})"
    place = operation if request_id is None else f"{operation}, request {request_id}"
    of_status = _BY_STATUS.get(status, ServerError if status >= _SERVER_ERRORS_FROM else ValidationError)
    after_s = retry_after_s(headers)
    return _BY_CODE.get(code, of_status)(
        f"{status} {code}: {wire.get('message', of_another)} ({place})",
        code=code,
        status=status,
        request_id=request_id,
        action_required=wire.get("action_required"),
        retry_after_s=wire.get("retry_after") if after_s is None else after_s,
        details=wire.get("details"),
    )


def _request_id(headers: Mapping[str, str], redact: Callable[[str], str]) -> str | None:
    found = headers.get("x-request-id")
    return None if found is None else redact(found)


def _wire_error(text: str) -> dict[str, Any]:
    """What it holds of the right type; empty when it is none of ours."""
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    found = body.get("error") if isinstance(body, dict) else None
    if isinstance(found, str):
        # The Open Inference Protocol has one string, in which the code stands before the colon.
        sentence = _SENTENCE.fullmatch(found)
        return {"code": sentence[1], "message": sentence[2]} if sentence else {"code": "unknown", "message": found}
    if not isinstance(found, dict) or not isinstance(found.get("message"), str):
        return {}
    kinds: Mapping[str, type] = {"message": str, "request_id": str, "action_required": str, "details": dict}
    wire = {name: found[name] for name, kind in kinds.items() if isinstance(found.get(name), kind)}
    wire["code"] = found["code"] if isinstance(found.get("code"), str) else "unknown"
    after_s = found.get("retry_after")
    if isinstance(after_s, (int, float)) and not isinstance(after_s, bool) and 0 <= after_s and math.isfinite(after_s):
        wire["retry_after"] = after_s
    return wire


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """
    `Retry-After` in seconds, from either form (RFC 9110 §10.2.3). A date is counted from the `Date` of the same answer where there is one, so
    that a clock that is wrong here does not matter. None when there is none that can be read.
    """
    value = headers.get("retry-after", "").strip()
    if _SECONDS.fullmatch(value):
        return float(value)
    at = _date_of(value)
    if at is None:
        return None
    sent_at = _date_of(headers.get("date", "")) or datetime.now(timezone.utc)
    return float(max(0, math.ceil((at - sent_at).total_seconds())))


def _date_of(value: str) -> datetime | None:
    try:
        date = parsedate_to_datetime(value)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return date if date.tzinfo is not None else date.replace(tzinfo=timezone.utc)
