"""
One call: its attempts, the pauses between them, and what its end is. It is written as steps that it wants done, so that the client with
threads and the one with `await` decide the same; `_sync_caller.py` and `_async_caller.py` do the steps.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar, Union

import httpx

from ._options import RetryPolicy
from ._outgoing import Outgoing
from ._refusal import error_of_refusal
from .errors import ConnectionError, RoadworthyError, TimeoutError

T = TypeVar("T")


@dataclass(frozen=True)
class Send:
    outgoing: Outgoing
    limit_s: float
    """How long this attempt may take."""
    is_streamed: bool
    """Whether a 2xx is read later, when the caller iterates over it."""


@dataclass(frozen=True)
class Pause:
    seconds: float


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)
    response: httpx.Response | None = field(default=None, repr=False)
    """Of a stream: open, and to be closed by the reader."""


@dataclass(frozen=True)
class Lost:
    """There is no answer. `reason` is without the key; the error of httpx is left behind, because it holds the request and so the key."""

    reason: str
    is_timeout: bool


Step = Union[Send, Pause]
Reply = Union[Answer, Lost, None]
Steps = Generator[Step, Reply, T]

# The service did not carry out what was asked.
_REFUSED_FOR_NOW = (429, 503)
# It is unknown whether it did.
_UNCLEAR = (408, 502, 504)
# There is no service, for now.
_CUT = (502, 503, 504)


@dataclass(frozen=True)
class Sending:
    policy: RetryPolicy
    monotonic: Callable[[], float]
    redact: Callable[[str], str]


def send(outgoing: Outgoing, sending: Sending, is_streamed: bool = False) -> Steps[Answer]:
    """Sends until there is an answer or the policy has no further attempt. Raises a `RoadworthyError` then."""
    policy = sending.policy
    began_s = sending.monotonic()
    limit_s = min(policy.timeout_s, policy.total_timeout_s)
    count = 0
    while True:
        count += 1
        reply = yield Send(outgoing, limit_s, is_streamed)
        if isinstance(reply, Answer) and 200 <= reply.status < 300:
            return reply
        error = _error_of(reply, outgoing, limit_s, sending)
        elapsed_s = sending.monotonic() - began_s
        pause_s = pause_before_retry(policy, error, count, elapsed_s, outgoing.is_repeatable)
        if pause_s is None:
            raise error
        yield Pause(pause_s)
        limit_s = min(policy.timeout_s, policy.total_timeout_s - (sending.monotonic() - began_s))
        if limit_s <= 0:
            raise error


def _error_of(reply: Reply, outgoing: Outgoing, limit_s: float, sending: Sending) -> RoadworthyError:
    if isinstance(reply, Answer):
        return error_of_refusal(reply.status, reply.headers, reply.body, outgoing.operation, sending.redact)
    if isinstance(reply, Lost):
        return lost_error(reply, limit_s, outgoing.operation)
    raise AssertionError("a Send was not replied to")


def lost_error(lost: Lost, limit_s: float, operation: str) -> ConnectionError:
    if lost.is_timeout:
        return TimeoutError(f"No answer within {limit_s:g} s ({operation}).", code="timeout")
    return ConnectionError(f"The connection failed: {lost.reason} ({operation}).", code="connection_failed")


def pause_before_retry(
    policy: RetryPolicy, error: RoadworthyError, count: int, elapsed_s: float, is_repeatable: bool
) -> float | None:
    """
    How long to wait before the next attempt; None when there is none. `count` is how many there were, `is_repeatable` whether doing it twice
    does no harm.
    """
    if count > policy.max_retries or not _may_retry(error, is_repeatable):
        return None
    after_s = error.retry_after_s or 0.0
    if after_s > policy.max_retry_after_s:
        return None
    pause_s = max(policy.retry_delay_s, after_s)
    return pause_s if elapsed_s + pause_s < policy.total_timeout_s else None


def is_cut(error: RoadworthyError) -> bool:
    """Of a stream: whether it is worth to connect again. A proxy answers so in place of a service that is being started anew."""
    return isinstance(error, ConnectionError) or error.status in _CUT


def _may_retry(error: RoadworthyError, is_repeatable: bool) -> bool:
    if error.status in _REFUSED_FOR_NOW:
        return True
    # The first attempt, whose answer was lost here, is still being carried out there; its answer is what the repeat gets.
    if error.code == "idempotency_in_progress":
        return True
    return is_repeatable and (isinstance(error, ConnectionError) or error.status in _UNCLEAR)
