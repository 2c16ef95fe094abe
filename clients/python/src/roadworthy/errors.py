"""Every error of this package is a `RoadworthyError`. The class is by the status, `code` by the reason: see docs/errors.md of Roadworthy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal


class RoadworthyError(Exception):
    def __init__(
        self,
        message: str,
        *,
        code: str,
        status: int | None = None,
        request_id: str | None = None,
        action_required: str | None = None,
        retry_after_s: float | None = None,
        details: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        """For programs; stable."""
        self.status = status
        """Of the answer; None when there was none."""
        self.request_id = request_id
        """Name it when you ask for help: the service logs under it."""
        self.action_required = action_required
        """What lets the caller in: `subscribe` or `upgrade_plan`."""
        self.retry_after_s = retry_after_s
        """Seconds after which a repeat may succeed."""
        self.details = details
        """What helps beside the message: `field`, `closest`, `required_scope`, `limit` …"""

    def __reduce__(self) -> tuple[Any, ...]:
        # An error that crosses to another process, as those of a pool of workers do, keeps what it holds.
        return (_restore, (type(self), self.args, self.__dict__))


def _restore(of: type[RoadworthyError], args: tuple[Any, ...], state: dict[str, Any]) -> RoadworthyError:
    error = of.__new__(of, *args)
    error.__dict__.update(state)
    return error


class ConfigurationError(RoadworthyError):
    """The client, or a call, was given something that cannot work. Nothing was sent."""

    def __init__(self, message: str) -> None:
        super().__init__(message, code="configuration")


class AuthenticationError(RoadworthyError):
    """401: the key is missing, unknown, revoked or expired."""


class PermissionError(RoadworthyError):
    """403: the key lacks a scope (`details["required_scope"]`), or a sub-client or device is suspended."""


class SubscriptionError(PermissionError):
    """403 `subscription_required`."""


class QuotaError(PermissionError):
    """403 `quota_exceeded`."""


class NotFoundError(RoadworthyError):
    """404: there is no such thing, or it belongs to someone else."""


class ConflictError(RoadworthyError):
    """409, and 422 `idempotency_conflict`: the request contradicts what is already there."""


class ValidationError(RoadworthyError):
    """400, 405, 413, 415 and the other 4xx: the request has to be another one. `details["field"]` names the place."""


class RateLimitError(RoadworthyError):
    """429: too many requests. `retry_after_s` is when there may be more."""


class ServerError(RoadworthyError):
    """5xx."""


class UnexpectedAnswerError(RoadworthyError):
    """There is an answer, and it is not Roadworthy's: a redirect, a page of a proxy, JSON that ends too early."""


class ConnectionError(RoadworthyError):
    """There is no answer, or not all of it. Whether the request was carried out is unknown."""


class TimeoutError(ConnectionError):
    """An attempt took longer than `timeout_s`, or the service answered 408."""


class BatchError(RoadworthyError):
    """A part was refused or lost after others had been answered. `__cause__` is its error."""

    def __init__(self, cause: RoadworthyError, answered: Mapping[str, Any], failed_from: int, unsent_from: int) -> None:
        super().__init__(
            f"Items {failed_from} to {unsent_from - 1} failed, those before were answered, those after were not sent. {cause.message}",
            code=cause.code,
            status=cause.status,
            request_id=cause.request_id,
            action_required=cause.action_required,
            retry_after_s=cause.retry_after_s,
            details=cause.details,
        )
        self.answered = answered
        """What became of the items before `failed_from`, as of a batch of those alone."""
        self.failed_from = failed_from
        """The first item of the part that failed. Whether that part was carried out depends on the cause: not if there is a `status` below 500."""
        self.unsent_from = unsent_from
        """The first item that was not sent at all."""


WebhookRefusal = Literal["missing_header", "invalid_timestamp", "too_old", "too_new", "invalid_signature", "invalid_payload"]


class WebhookVerificationError(RoadworthyError):
    """The message is not to be believed: answer 400. `code` is a `WebhookRefusal`."""

    def __init__(self, code: WebhookRefusal, message: str) -> None:
        super().__init__(message, code=code)
