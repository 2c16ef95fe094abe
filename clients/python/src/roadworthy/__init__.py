"""Client of Roadworthy, the open fleet-telematics and predictive-maintenance service. See README.md."""

from . import mqtt, webhooks
from ._version import __version__
from .client import AsyncRoadworthy, HttpMethod, Roadworthy
from .errors import (
    AuthenticationError,
    BatchError,
    ConfigurationError,
    ConflictError,
    ConnectionError,
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
    WebhookVerificationError,
)
from .models import DeviceLocation, PredictionResult, TrackingData

__all__ = [
    "AsyncRoadworthy",
    "AuthenticationError",
    "BatchError",
    "ConfigurationError",
    "ConflictError",
    "ConnectionError",
    "DeviceLocation",
    "HttpMethod",
    "NotFoundError",
    "PermissionError",
    "PredictionResult",
    "QuotaError",
    "RateLimitError",
    "Roadworthy",
    "RoadworthyError",
    "ServerError",
    "SubscriptionError",
    "TimeoutError",
    "TrackingData",
    "UnexpectedAnswerError",
    "ValidationError",
    "WebhookVerificationError",
    "__version__",
    "mqtt",
    "webhooks",
]
