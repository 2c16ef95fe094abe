# Written by `npm run openapi` from docs/openapi/external.json and the table of methods. Changes belong there.
from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, overload

from .._options import CallOptions
from . import external_routes as routes

if TYPE_CHECKING:
    from .._sync_caller import Caller
    from ..models import TrackingData
    from . import external_types as types



class Health:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def get(self, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.ExternalHealth:
        """Whether the API answers, its version, and the scopes there are.

        `GET /api/external/health`
        """
        return self._caller.call(routes.HEALTH_GET, options=CallOptions(timeout_s, max_retries, headers))


class SubClients:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def create(self, body: types.SubClientCreate, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.SubClientAnswer:
        """Create a sub-client.

        `POST /api/external/sub-clients`; scope `sub_clients:manage`
        """
        return self._caller.call(routes.SUB_CLIENTS_CREATE, body=body, options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    def list(self, *, status: Literal["active", "suspended", "deactivated"] | None = None, limit: int | None = None, after: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.SubClientList:
        """List sub-clients, oldest first.

        `GET /api/external/sub-clients`; scope `sub_clients:read`

        Args:
            status: `suspended` and `deactivated`: reads work, writes and readings are refused (`sub_client_suspended`).
            limit: Most items in the answer. Preset: `100`.
            after: `pagination.endCursor` of the page before.
        """
        return self._caller.call(routes.SUB_CLIENTS_LIST, query={"status": status, "limit": limit, "after": after}, options=CallOptions(timeout_s, max_retries, headers))

    def iterate(self, *, status: Literal["active", "suspended", "deactivated"] | None = None, limit: int | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> Generator[types.SubClient, None, None]:
        """The items of every page of `list`, fetched as they are read. `limit` is the length of a page."""
        return self._caller.iterate(routes.SUB_CLIENTS_LIST, query={"status": status, "limit": limit}, options=CallOptions(timeout_s, max_retries, headers))

    def get(self, sub_client_id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.SubClientAnswer:
        """Get one sub-client.

        `GET /api/external/sub-clients/{sub_client_id}`; scope `sub_clients:read`
        """
        return self._caller.call(routes.SUB_CLIENTS_GET, (sub_client_id,), options=CallOptions(timeout_s, max_retries, headers))

    def update(self, sub_client_id: str, body: types.SubClientUpdate, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.SubClientAnswer:
        """Change a sub-client.
        Setting `status` to `active` brings a suspended or deactivated sub-client back; its devices stay unassigned.

        `PUT /api/external/sub-clients/{sub_client_id}`; scope `sub_clients:manage`
        """
        return self._caller.call(routes.SUB_CLIENTS_UPDATE, (sub_client_id,), body=body, options=CallOptions(timeout_s, max_retries, headers))

    def deactivate(self, sub_client_id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.SubClientDeactivated:
        """Deactivate a sub-client.
        The record remains with status `deactivated` and its devices are unassigned. Repeating it is fine.

        `DELETE /api/external/sub-clients/{sub_client_id}`; scope `sub_clients:manage`
        """
        return self._caller.call(routes.SUB_CLIENTS_DEACTIVATE, (sub_client_id,), options=CallOptions(timeout_s, max_retries, headers))


class Devices:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def register(self, body: types.DeviceRegister, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.DeviceRegistered:
        """Register a device.
        The answer shows the MQTT password, once. The same body for the same IMEI within 24 hours gets the same answer.

        `POST /api/external/devices`; scope `devices:write`
        """
        return self._caller.call(routes.DEVICES_REGISTER, body=body, options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    def list(self, *, sub_client_id: str | None = None, status: Literal["pending", "active", "suspended", "decommissioned"] | None = None, limit: int | None = None, after: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.DeviceList:
        """List devices, oldest first.

        `GET /api/external/devices`; scope `devices:read`

        Args:
            sub_client_id: Only what belongs to this sub-client.
            limit: Most items in the answer. Preset: `100`.
            after: `pagination.endCursor` of the page before.
        """
        return self._caller.call(routes.DEVICES_LIST, query={"sub_client_id": sub_client_id, "status": status, "limit": limit, "after": after}, options=CallOptions(timeout_s, max_retries, headers))

    def iterate(self, *, sub_client_id: str | None = None, status: Literal["pending", "active", "suspended", "decommissioned"] | None = None, limit: int | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> Generator[types.Device, None, None]:
        """The items of every page of `list`, fetched as they are read. `limit` is the length of a page."""
        return self._caller.iterate(routes.DEVICES_LIST, query={"sub_client_id": sub_client_id, "status": status, "limit": limit}, options=CallOptions(timeout_s, max_retries, headers))

    def get(self, device_id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.DeviceAnswer:
        """Get one device.

        `GET /api/external/devices/{device_id}`; scope `devices:read`
        """
        return self._caller.call(routes.DEVICES_GET, (device_id,), options=CallOptions(timeout_s, max_retries, headers))

    def update(self, device_id: str, body: types.DeviceUpdate, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.DeviceAnswer:
        """Change, reassign or link a device.
        A device that is reassigned to another sub-client is unlinked from a vehicle of the one before, unless `vehicle_id` names a vehicle. A vehicle of no sub-client goes with its only device.

        `PUT /api/external/devices/{device_id}`; scope `devices:write`
        """
        return self._caller.call(routes.DEVICES_UPDATE, (device_id,), body=body, options=CallOptions(timeout_s, max_retries, headers))

    def decommission(self, device_id: str, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.DeviceDecommissioned:
        """Decommission a device.
        Its credentials are revoked, its IMEI is free again and its history stays. Repeating it is fine, by the IMEI too as long as no other device has it.

        `POST /api/external/devices/{device_id}/decommission`; scope `devices:write`
        """
        return self._caller.call(routes.DEVICES_DECOMMISSION, (device_id,), options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    def rotate_credentials(self, device_id: str, body: types.CredentialsRotate | None = None, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.CredentialsRotated:
        """Give a device a new MQTT password.

        `POST /api/external/devices/{device_id}/credentials/rotate`; scope `devices:write`
        """
        return self._caller.call(routes.DEVICES_ROTATE_CREDENTIALS, (device_id,), body=body, options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    def list_locations(self, *, sub_client_id: str | None = None, limit: int | None = None, after: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.LocationList:
        """Latest location of every device that has one.

        `GET /api/external/devices/locations`; scope `devices:read` or `tracking:read`

        Args:
            sub_client_id: Only what belongs to this sub-client.
            limit: Most items in the answer. Preset: `100`.
            after: `pagination.endCursor` of the page before.
        """
        return self._caller.call(routes.DEVICES_LIST_LOCATIONS, query={"sub_client_id": sub_client_id, "limit": limit, "after": after}, options=CallOptions(timeout_s, max_retries, headers))

    def iterate_locations(self, *, sub_client_id: str | None = None, limit: int | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> Generator[types.Location, None, None]:
        """The items of every page of `list_locations`, fetched as they are read. `limit` is the length of a page."""
        return self._caller.iterate(routes.DEVICES_LIST_LOCATIONS, query={"sub_client_id": sub_client_id, "limit": limit}, options=CallOptions(timeout_s, max_retries, headers))

    def get_location(self, device_id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.LocationAnswer:
        """Latest location of one device.

        `GET /api/external/devices/{device_id}/location`; scope `devices:read` or `tracking:read`
        """
        return self._caller.call(routes.DEVICES_GET_LOCATION, (device_id,), options=CallOptions(timeout_s, max_retries, headers))


class Vehicles:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def upsert(self, body: types.VehicleUpsert, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.VehicleUpserted:
        """Create or update a vehicle.
        Found by `vin`, else by `external_ref`, else by `license_plate` within the sub-client; else new. One that is retired is not found by its plate, stays retired, and takes no device. A known vehicle that is given another sub-client moves there, and the devices of the one before are unlinked from it.

        `POST /api/external/vehicles`; scope `vehicles:write`
        """
        return self._caller.call(routes.VEHICLES_UPSERT, body=body, options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    def list(self, *, sub_client_id: str | None = None, vin: str | None = None, license_plate: str | None = None, status: Literal["active", "retired"] | None = None, limit: int | None = None, after: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.VehicleList:
        """List vehicles, oldest first.

        `GET /api/external/vehicles`; scope `vehicles:read`

        Args:
            sub_client_id: Only what belongs to this sub-client.
            vin: Only the vehicle with this VIN.
            license_plate: Only vehicles with this plate.
            status: Those that are in service, or those that are retired. Preset: `active`.
            limit: Most items in the answer. Preset: `100`.
            after: `pagination.endCursor` of the page before.
        """
        return self._caller.call(routes.VEHICLES_LIST, query={"sub_client_id": sub_client_id, "vin": vin, "license_plate": license_plate, "status": status, "limit": limit, "after": after}, options=CallOptions(timeout_s, max_retries, headers))

    def iterate(self, *, sub_client_id: str | None = None, vin: str | None = None, license_plate: str | None = None, status: Literal["active", "retired"] | None = None, limit: int | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> Generator[types.Vehicle, None, None]:
        """The items of every page of `list`, fetched as they are read. `limit` is the length of a page."""
        return self._caller.iterate(routes.VEHICLES_LIST, query={"sub_client_id": sub_client_id, "vin": vin, "license_plate": license_plate, "status": status, "limit": limit}, options=CallOptions(timeout_s, max_retries, headers))

    def get(self, vehicle_id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.VehicleAnswer:
        """Get one vehicle.

        `GET /api/external/vehicles/{vehicle_id}`; scope `vehicles:read`
        """
        return self._caller.call(routes.VEHICLES_GET, (vehicle_id,), options=CallOptions(timeout_s, max_retries, headers))

    def update(self, vehicle_id: str, body: types.VehicleUpdate, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.VehicleAnswer:
        """Change, move, retire or restore a vehicle.
        Moved to another sub-client, it leaves the devices of the one before. To link a device, PUT the device.

        `PUT /api/external/vehicles/{vehicle_id}`; scope `vehicles:write`
        """
        return self._caller.call(routes.VEHICLES_UPDATE, (vehicle_id,), body=body, options=CallOptions(timeout_s, max_retries, headers))

    def retire(self, vehicle_id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.VehicleAnswer:
        """Retire a vehicle.
        Its history stays. It is not listed unless asked for, not scored, and opens no alerts; its devices are unlinked from it. PUT `status: "active"` restores it. Repeating it is fine.

        `DELETE /api/external/vehicles/{vehicle_id}`; scope `vehicles:write`
        """
        return self._caller.call(routes.VEHICLES_RETIRE, (vehicle_id,), options=CallOptions(timeout_s, max_retries, headers))


class Telemetry:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def send(self, body: types.TelemetryRecord, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.TelemetryAccepted:
        """Send one telemetry record.

        `POST /api/external/telemetry`; scope `telemetry:write`
        """
        return self._caller.call(routes.TELEMETRY_SEND, body=body, options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    def send_batch(self, records: Sequence[types.TelemetryRecord], *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.BatchAccepted:
        """Send any number of telemetry records.
        Sent in parts of at most 100, one after the other; what is returned names places in the whole.

        `POST /api/external/telemetry/batch`; scope `telemetry:write`
        """
        return self._caller.call_batch(routes.TELEMETRY_SEND_BATCH, records, options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    def get(self, id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.StoredReading:
        """Read back one stored record or track point.
        `telemetry:read` reads both; `tracking:read` reads track points.

        `GET /api/external/telemetry/{id}`; scope `telemetry:read` or `tracking:read`
        """
        return self._caller.call(routes.TELEMETRY_GET, (id,), options=CallOptions(timeout_s, max_retries, headers))


class Track:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def send(self, body: types.TrackPoint | TrackingData, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.TrackAccepted:
        """Send one GPS track point.

        `POST /api/external/track`; scope `tracking:write`
        """
        return self._caller.call(routes.TRACK_SEND, body=body, options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    def send_batch(self, points: Sequence[types.TrackPoint | TrackingData], *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.BatchAccepted:
        """Send any number of GPS track points.
        Sent in parts of at most 100, one after the other; what is returned names places in the whole.

        `POST /api/external/track/batch`; scope `tracking:write`
        """
        return self._caller.call_batch(routes.TRACK_SEND_BATCH, points, options=CallOptions(timeout_s, max_retries, headers, idempotency_key))


class Predictions:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(self, *, sub_client_id: str | None = None, vehicle_id: str | None = None, limit: int | None = None, after: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.PredictionList:
        """List maintenance predictions, oldest first.

        `GET /api/external/predictions`; scope `predict`

        Args:
            sub_client_id: Only what belongs to this sub-client.
            vehicle_id: Only this vehicle: our id, or the caller's own reference.
            limit: Most items in the answer. Preset: `100`.
            after: `pagination.endCursor` of the page before.
        """
        return self._caller.call(routes.PREDICTIONS_LIST, query={"sub_client_id": sub_client_id, "vehicle_id": vehicle_id, "limit": limit, "after": after}, options=CallOptions(timeout_s, max_retries, headers))

    def iterate(self, *, sub_client_id: str | None = None, vehicle_id: str | None = None, limit: int | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> Generator[types.Prediction, None, None]:
        """The items of every page of `list`, fetched as they are read. `limit` is the length of a page."""
        return self._caller.iterate(routes.PREDICTIONS_LIST, query={"sub_client_id": sub_client_id, "vehicle_id": vehicle_id, "limit": limit}, options=CallOptions(timeout_s, max_retries, headers))


class Usage:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    @overload
    def get(self, *, sub_client_id: str | None = None, from_: str | None = None, to: str | None = None, granularity: Literal["day", "month", "hour"] | None = None, format: Literal["json"] | None = None, limit: int | None = None, after: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.UsageReport: ...

    @overload
    def get(self, *, sub_client_id: str | None = None, from_: str | None = None, to: str | None = None, granularity: Literal["day", "month", "hour"] | None = None, format: Literal["csv", "ndjson"], limit: int | None = None, after: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> str: ...

    def get(self, *, sub_client_id: str | None = None, from_: str | None = None, to: str | None = None, granularity: Literal["day", "month", "hour"] | None = None, format: Literal["json", "csv", "ndjson"] | None = None, limit: int | None = None, after: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.UsageReport | str:
        """What was used, by period, sub-client and meter.
        Counted by the time the service received it, in days and months of the reseller’s time zone. Readings that were known already and whatever was refused count nothing.

        `GET /api/external/usage`; scope `billing:read`

        Args:
            sub_client_id: Only what belongs to this sub-client.
            from_: First day, in the time zone of the reseller. With `granularity=month` a month. The first of this month when left out.
            to: The day, or month, after the last. What comes after the present when left out.
            granularity: Length of a row’s period: at most 31 days by hour, 400 by day, 60 months by month. Preset: `day`.
            format: `csv` and `ndjson` hold every row at once. Also by `Accept: text/csv` or `application/x-ndjson`.
            limit: Most items in the answer. Preset: `100`.
            after: `pagination.endCursor` of the page before.
        """
        return self._caller.call(routes.USAGE_GET, query={"sub_client_id": sub_client_id, "from": from_, "to": to, "granularity": granularity, "format": format, "limit": limit, "after": after}, options=CallOptions(timeout_s, max_retries, headers))

    def iterate(self, *, sub_client_id: str | None = None, from_: str | None = None, to: str | None = None, granularity: Literal["day", "month", "hour"] | None = None, limit: int | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> Generator[types.UsageRow, None, None]:
        """The items of every page of `get`, fetched as they are read. `limit` is the length of a page."""
        return self._caller.iterate(routes.USAGE_GET, query={"sub_client_id": sub_client_id, "from": from_, "to": to, "granularity": granularity, "limit": limit}, options=CallOptions(timeout_s, max_retries, headers))


class ExternalApi:
    """The External API: sub-clients, devices, vehicles and their readings."""
    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self.health = Health(caller)
        self.sub_clients = SubClients(caller)
        self.devices = Devices(caller)
        self.vehicles = Vehicles(caller)
        self.telemetry = Telemetry(caller)
        self.track = Track(caller)
        self.predictions = Predictions(caller)
        self.usage = Usage(caller)

    def predict(self, body: types.PredictRequest, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.PredictAnswer:
        """Predict from sensor data.
        Asks what these readings would mean for the vehicle, as if they lasted. The vehicle need not be known: a reference of your own that nothing has is answered under that reference. Of a known vehicle its record counts: class, fuel, voltage and VIN. Nothing is stored and no alert is opened; send readings to `/telemetry` for that.

        `POST /api/external/predict`; scope `predict`
        """
        return self._caller.call(routes.PREDICT, body=body, options=CallOptions(timeout_s, max_retries, headers, idempotency_key))
