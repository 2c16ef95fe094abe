"""
Three things of the API as objects, for who prefers them to dicts: a track point to send, the location of a device, and a prediction. Their
fields have the names of the API; everything else is answered as the dicts that `roadworthy.types` describes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Literal, cast

if TYPE_CHECKING:
    from .generated import external_types as types

__all__ = ["DeviceLocation", "PredictionResult", "TrackingData"]


@dataclass(frozen=True)
class TrackingData:
    """A track point: `external.track.send(TrackingData(device_id="dev-1", latitude=12.97, longitude=77.59))`."""

    device_id: str
    """The id of a registered device, or its IMEI."""
    latitude: float
    """Degrees, WGS 84."""
    longitude: float
    speed: float | None = None
    """km/h"""
    heading: float | None = None
    """Degrees clockwise from north."""
    timestamp: str | None = None
    """ISO 8601; when it came in, where it is left out."""
    ignition: bool | None = None
    battery_voltage: float | None = None
    """Volts, of the vehicle."""
    satellites: int | None = None
    event: str | None = None
    """For example `periodic`, `sos`, `tamper`, `overspeed` or `geofence`."""
    extra: Mapping[str, object] | None = None
    """What else the protocol of the device has."""

    def to_body(self) -> types.TrackPoint:
        """As a dict: what is None is left out."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return cast("types.TrackPoint", {name: value for name, value in values.items() if value is not None})


@dataclass(frozen=True)
class DeviceLocation:
    """Where a device is: `DeviceLocation.of(external.devices.get_location(id)["location"])`."""

    device_id: str
    imei: str | None
    name: str | None
    sub_client_id: str | None
    vehicle_id: str | None
    latitude: float
    longitude: float
    speed: float | None
    """km/h"""
    heading: float | None
    altitude: float | None
    """Metres."""
    satellites: int | None
    ignition: bool | None
    battery_voltage: float | None
    event: str | None
    timestamp: str
    """When it was there."""
    received_at: str
    age_seconds: int
    online: bool

    @staticmethod
    def of(location: types.Location) -> DeviceLocation:
        values = cast("Mapping[str, Any]", location)
        return DeviceLocation(**{field.name: values[field.name] for field in fields(DeviceLocation)})


@dataclass(frozen=True)
class PredictionResult:
    """What readings would mean for a vehicle: `PredictionResult.of(external.predict({…}))`."""

    vehicle_id: str
    health_score: float
    """0 to 100."""
    health_status: Literal["healthy", "warning", "critical"]
    risk_level: Literal["none", "low", "medium", "high"]
    components: Mapping[str, float]
    """Component to score, 0 to 100."""
    maintenance_alerts: Sequence[types.MaintenanceAlert]
    recommendations: Sequence[str]
    confidence: float
    """0 to 1."""
    processed_at: str

    @property
    def is_critical(self) -> bool:
        """Whether it needs work now."""
        return self.health_status == "critical"

    @property
    def is_healthy(self) -> bool:
        return self.health_status == "healthy"

    @staticmethod
    def of(answer: types.PredictAnswer) -> PredictionResult:
        values = cast("Mapping[str, Any]", answer)
        return PredictionResult(**{field.name: values[field.name] for field in fields(PredictionResult)})
