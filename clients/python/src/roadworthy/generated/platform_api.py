# Written by `npm run openapi` from docs/openapi/platform-v1.json and the table of methods. Changes belong there.
from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import TYPE_CHECKING, Literal, overload

from .._options import CallOptions
from . import platform_routes as routes

if TYPE_CHECKING:
    from .._sync_caller import Caller
    from . import published_types as published, platform_types as types



class SubClients:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(self, *, status: Literal["active", "suspended", "deactivated"] | None = None, search: str | None = None, limit: int | None = None, after: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.SubClientList:
        """List sub-clients, oldest first.

        `GET /api/v1/sub-clients`; scope `sub_clients:read`

        Args:
            status: `suspended` and `deactivated`: reads work, writes and readings are refused (`sub_client_suspended`).
            search: Only those whose name or id contains this.
            limit: Most items in the answer. Preset: `100`.
            after: `pagination.endCursor` of the page before.
        """
        return self._caller.call(routes.SUB_CLIENTS_LIST, query={"status": status, "search": search, "limit": limit, "after": after}, options=CallOptions(timeout_s, max_retries, headers))

    def iterate(self, *, status: Literal["active", "suspended", "deactivated"] | None = None, search: str | None = None, limit: int | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> Generator[types.SubClient, None, None]:
        """The items of every page of `list`, fetched as they are read. `limit` is the length of a page."""
        return self._caller.iterate(routes.SUB_CLIENTS_LIST, query={"status": status, "search": search, "limit": limit}, options=CallOptions(timeout_s, max_retries, headers))

    def create(self, body: types.SubClientCreate, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.SubClient:
        """Create a sub-client.

        `POST /api/v1/sub-clients`; scope `sub_clients:manage`
        """
        return self._caller.call(routes.SUB_CLIENTS_CREATE, body=body, options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    def get(self, id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.SubClient:
        """Get one sub-client.

        `GET /api/v1/sub-clients/{id}`; scope `sub_clients:read`
        """
        return self._caller.call(routes.SUB_CLIENTS_GET, (id,), options=CallOptions(timeout_s, max_retries, headers))

    def update(self, id: str, body: types.SubClientChange, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.SubClient:
        """Change a sub-client.
        Setting `status` to `active` brings a suspended or deactivated sub-client back; its devices stay unassigned.

        `PATCH /api/v1/sub-clients/{id}`; scope `sub_clients:manage`
        """
        return self._caller.call(routes.SUB_CLIENTS_UPDATE, (id,), body=body, options=CallOptions(timeout_s, max_retries, headers))

    def deactivate(self, id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.SubClientDeactivated:
        """Deactivate a sub-client.
        The record remains with status `deactivated`; its devices and SIMs leave it. Repeating it is fine.

        `DELETE /api/v1/sub-clients/{id}`; scope `sub_clients:manage`
        """
        return self._caller.call(routes.SUB_CLIENTS_DEACTIVATE, (id,), options=CallOptions(timeout_s, max_retries, headers))

    def preview_deactivation(self, id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.SubClientDeactivation:
        """What deactivating a sub-client would do.

        `GET /api/v1/sub-clients/{id}/deactivation`; scope `sub_clients:manage`
        """
        return self._caller.call(routes.SUB_CLIENTS_PREVIEW_DEACTIVATION, (id,), options=CallOptions(timeout_s, max_retries, headers))


class Devices:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(self, *, sub_client_id: str | None = None, status: Literal["pending", "active", "suspended", "decommissioned"] | None = None, presence: Literal["online", "offline", "never"] | None = None, search: str | None = None, limit: int | None = None, after: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.DeviceList:
        """List devices, oldest first.

        `GET /api/v1/devices`; scope `devices:read`

        Args:
            sub_client_id: Only what belongs to this sub-client.
            presence: `online` as in the field; `never`: nothing was ever received of it; `offline`: the others.
            search: Only what has this in its name, id, IMEI or SIM number, or in a name of its vehicle.
            limit: Most items in the answer. Preset: `100`.
            after: `pagination.endCursor` of the page before.
        """
        return self._caller.call(routes.DEVICES_LIST, query={"subClientId": sub_client_id, "status": status, "presence": presence, "search": search, "limit": limit, "after": after}, options=CallOptions(timeout_s, max_retries, headers))

    def iterate(self, *, sub_client_id: str | None = None, status: Literal["pending", "active", "suspended", "decommissioned"] | None = None, presence: Literal["online", "offline", "never"] | None = None, search: str | None = None, limit: int | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> Generator[types.Device, None, None]:
        """The items of every page of `list`, fetched as they are read. `limit` is the length of a page."""
        return self._caller.iterate(routes.DEVICES_LIST, query={"subClientId": sub_client_id, "status": status, "presence": presence, "search": search, "limit": limit}, options=CallOptions(timeout_s, max_retries, headers))

    def register(self, body: types.DeviceRegister, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.DeviceRegistered:
        """Register a device.
        The answer shows the MQTT password, once. The same body for the same IMEI within 24 hours gets the same answer.

        `POST /api/v1/devices`; scope `devices:write`
        """
        return self._caller.call(routes.DEVICES_REGISTER, body=body, options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    def get(self, id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.Device:
        """Get one device.

        `GET /api/v1/devices/{id}`; scope `devices:read`
        """
        return self._caller.call(routes.DEVICES_GET, (id,), options=CallOptions(timeout_s, max_retries, headers))

    def update(self, id: str, body: types.DeviceChange, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.Device:
        """Change, move, link or suspend a device.
        A device that moves to another sub-client is unlinked from a vehicle of the one before, unless `vehicleId` names a vehicle. A vehicle of no sub-client goes with its only device.

        `PATCH /api/v1/devices/{id}`; scope `devices:write`
        """
        return self._caller.call(routes.DEVICES_UPDATE, (id,), body=body, options=CallOptions(timeout_s, max_retries, headers))

    @overload
    def import_(self, body: types.DeviceImport, *, accept: None = None, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.DeviceImported: ...

    @overload
    def import_(self, body: types.DeviceImport, *, accept: Literal["text/csv"], idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> str: ...

    def import_(self, body: types.DeviceImport, *, accept: Literal["text/csv"] | None = None, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.DeviceImported | str:
        """Register up to 1000 devices at once.
        In one transaction. When a row cannot be registered, none is, and the 400 has the reason for each such row in `details.rows`; `skipInvalid` registers the others. A row that is repeated with the same fields within 24 hours, and has an IMEI, shows the same credentials again.

        `POST /api/v1/devices/import`; scope `devices:write`
        """
        return self._caller.call(routes.DEVICES_IMPORT_, body=body, accept=accept, options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    def rotate_credentials(self, id: str, body: types.CredentialsRotate | None = None, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.CredentialsRotated:
        """Give a device a new MQTT password.

        `POST /api/v1/devices/{id}/credentials/rotate`; scope `devices:write`
        """
        return self._caller.call(routes.DEVICES_ROTATE_CREDENTIALS, (id,), body=body, options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    def issue_tracker_token(self, id: str, body: types.TrackerTokenIssue | None = None, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.TrackerTokenIssued:
        """Give a phone or tracker a new token.
        For apps and trackers that send over HTTP without an API key (`/api/external/ingest/…`). The answer shows the token, once. The token before ends, or is good for `graceSeconds` more.

        `POST /api/v1/devices/{id}/tracker-token`; scope `devices:write`
        """
        return self._caller.call(routes.DEVICES_ISSUE_TRACKER_TOKEN, (id,), body=body, options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    def revoke_tracker_token(self, id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.TrackerTokenRevoked:
        """Revoke the token of a phone or tracker.
        Nothing that is sent with it is taken from then on. Repeating it is fine.

        `DELETE /api/v1/devices/{id}/tracker-token`; scope `devices:write`
        """
        return self._caller.call(routes.DEVICES_REVOKE_TRACKER_TOKEN, (id,), options=CallOptions(timeout_s, max_retries, headers))

    def decommission(self, id: str, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.DeviceDecommissioned:
        """Decommission a device.
        Its credentials are revoked, its IMEI is free again and its history stays. Repeating it is fine.

        `POST /api/v1/devices/{id}/decommission`; scope `devices:write`
        """
        return self._caller.call(routes.DEVICES_DECOMMISSION, (id,), options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    def list_messages(self, id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.DeviceMessages:
        """The last 50 messages of a device, with what was understood, kept and refused.
        Refused messages are always here, for 7 days. Those that were stored are shown by their reading; as they were sent only while messages are recorded.

        `GET /api/v1/devices/{id}/messages`; scope `telemetry:read`
        """
        return self._caller.call(routes.DEVICES_LIST_MESSAGES, (id,), options=CallOptions(timeout_s, max_retries, headers))

    def start_recording(self, id: str, body: types.StartRecording | None = None, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.MessageRecording:
        """Record the messages of a device as they are sent, for a while.
        Also those that are stored and those that were known already. It ends by itself.

        `POST /api/v1/devices/{id}/messages/recording`; scope `devices:write`
        """
        return self._caller.call(routes.DEVICES_START_RECORDING, (id,), body=body, options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    def stop_recording(self, id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.MessageRecording:
        """Record no more messages of a device.
        What was recorded stays for 7 days. Repeating it is fine.

        `DELETE /api/v1/devices/{id}/messages/recording`; scope `devices:write`
        """
        return self._caller.call(routes.DEVICES_STOP_RECORDING, (id,), options=CallOptions(timeout_s, max_retries, headers))


class Vehicles:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(self, *, ids: str | None = None, group_id: str | None = None, sub_client_id: str | None = None, health_status: Literal["healthy", "warning", "critical", "unknown"] | None = None, status: Literal["active", "retired"] | None = None, presence: Literal["online", "offline"] | None = None, search: str | None = None, bbox: str | None = None, sort: Literal["created", "health", "name", "alerts", "heard"] | None = None, order: Literal["asc", "desc"] | None = None, limit: int | None = None, after: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.VehicleList:
        """List vehicles with their health.

        `GET /api/v1/vehicles`; scope `vehicles:read`

        Args:
            ids: Only these, up to 500 ids, separated by commas.
            group_id: Only vehicles of this group (`/vehicle-groups`).
            sub_client_id: Only vehicles of this sub-client.
            health_status: Only vehicles of this health: at least 70, at least 40, below 40, or not judged yet.
            status: Those that are in service, or those that are retired. Preset: `active`.
            presence: Whether anything was heard of it within the last minutes.
            search: Only vehicles that have each of these words, 8 at most, in plate, name, make, model, year, VIN, `externalRef`, sub-client or id, in any case.
            bbox: `west,south,east,north` in degrees: only vehicles whose newest position lies within. A box across the antimeridian has its west greater than its east.
            sort: By when it was created, its health score, its name, the number of its alerts, or when it was heard last. Equals come by name. What has no score, or was never heard, comes last in either order. Preset: `created`.
            order: `created` is `asc` only. Preset: `asc`.
            limit: Most items in the answer. Preset: `100`.
            after: `pagination.endCursor` of the page before.
        """
        return self._caller.call(routes.VEHICLES_LIST, query={"ids": ids, "groupId": group_id, "subClientId": sub_client_id, "healthStatus": health_status, "status": status, "presence": presence, "search": search, "bbox": bbox, "sort": sort, "order": order, "limit": limit, "after": after}, options=CallOptions(timeout_s, max_retries, headers))

    def iterate(self, *, ids: str | None = None, group_id: str | None = None, sub_client_id: str | None = None, health_status: Literal["healthy", "warning", "critical", "unknown"] | None = None, status: Literal["active", "retired"] | None = None, presence: Literal["online", "offline"] | None = None, search: str | None = None, bbox: str | None = None, sort: Literal["created", "health", "name", "alerts", "heard"] | None = None, order: Literal["asc", "desc"] | None = None, limit: int | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> Generator[types.Vehicle, None, None]:
        """The items of every page of `list`, fetched as they are read. `limit` is the length of a page."""
        return self._caller.iterate(routes.VEHICLES_LIST, query={"ids": ids, "groupId": group_id, "subClientId": sub_client_id, "healthStatus": health_status, "status": status, "presence": presence, "search": search, "bbox": bbox, "sort": sort, "order": order, "limit": limit}, options=CallOptions(timeout_s, max_retries, headers))

    def get(self, id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.Vehicle:
        """Get one vehicle.

        `GET /api/v1/vehicles/{id}`; scope `vehicles:read`
        """
        return self._caller.call(routes.VEHICLES_GET, (id,), options=CallOptions(timeout_s, max_retries, headers))

    def update(self, id: str, body: types.VehicleChange, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.Vehicle:
        """Change, move, retire or restore a vehicle.
        Moved to another sub-client, it leaves the devices of the one before. Retired, it keeps its history, is not scored, opens no alerts, and its devices are unlinked from it; restored, they are linked anew by changing the devices.

        `PATCH /api/v1/vehicles/{id}`; scope `vehicles:write`
        """
        return self._caller.call(routes.VEHICLES_UPDATE, (id,), body=body, options=CallOptions(timeout_s, max_retries, headers))

    def get_health(self, id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.Health:
        """Health of a vehicle and what drives it.

        `GET /api/v1/vehicles/{id}/health`; scope `vehicles:read`
        """
        return self._caller.call(routes.VEHICLES_GET_HEALTH, (id,), options=CallOptions(timeout_s, max_retries, headers))

    def list_health_history(self, id: str, *, from_: str | None = None, to: str | None = None, limit: int | None = None, after: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.HealthHistory:
        """How the health of a vehicle developed.

        `GET /api/v1/vehicles/{id}/health/history`; scope `vehicles:read`

        Args:
            from_: Start of the range, included. 30 days before `to` when left out.
            to: End of the range, not included. Now when left out.
            limit: Most items in the answer. Preset: `100`.
            after: `pagination.endCursor` of the page before.
        """
        return self._caller.call(routes.VEHICLES_LIST_HEALTH_HISTORY, (id,), query={"from": from_, "to": to, "limit": limit, "after": after}, options=CallOptions(timeout_s, max_retries, headers))

    def iterate_health_history(self, id: str, *, from_: str | None = None, to: str | None = None, limit: int | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> Generator[types.HealthPoint, None, None]:
        """The items of every page of `list_health_history`, fetched as they are read. `limit` is the length of a page."""
        return self._caller.iterate(routes.VEHICLES_LIST_HEALTH_HISTORY, (id,), query={"from": from_, "to": to, "limit": limit}, options=CallOptions(timeout_s, max_retries, headers))

    def list_readings(self, id: str, *, from_: str | None = None, to: str | None = None, signals: str | None = None, downsample: str | None = None, points: int | None = None, order: Literal["asc", "desc"] | None = None, limit: int | None = None, after: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.ReadingList:
        """Readings of a vehicle over a time range.
        A half-open range, the last hour when nothing is asked for; single readings by page, of which one is shorter than `limit` where its readings would take more than 16 MiB, or with `downsample` or `points` at most 2000 buckets in one answer. At most 366 days, of which the last 62 may be of before what is sealed into files (`docs/guides/history.md`); and of those not in files, buckets of at most 700000 readings.

        `GET /api/v1/vehicles/{id}/readings`; scope `vehicles:read`

        Args:
            from_: Start of the range, included. An hour before `to` when left out.
            to: End of the range, not included. Now when left out.
            signals: Only these signals, and only readings with any of them: names separated by commas, of engine_speed, coolant, battery_voltage, fuel_level, vehicleSpeed, engineOilTemp, engineFuelTemp, obdDistance, runTime, current_gear, fuel_consumption, ambient_air_temperature, oil_pressure, throttle, intake_air_temp; aliases are taken too.
            downsample: Answer buckets of this length with lowest, mean and highest of each signal, instead of single readings.
            points: Instead of `downsample`: answer at most this many buckets. The service chooses their length, which is in the answer.
            order: Of single readings by when they were recorded: `asc` is oldest first. A cursor goes on in the order it was made in. Preset: `asc`.
            limit: Most items in the answer. Preset: `100`.
            after: `pagination.endCursor` of the page before.
        """
        return self._caller.call(routes.VEHICLES_LIST_READINGS, (id,), query={"from": from_, "to": to, "signals": signals, "downsample": downsample, "points": points, "order": order, "limit": limit, "after": after}, options=CallOptions(timeout_s, max_retries, headers))

    def iterate_readings(self, id: str, *, from_: str | None = None, to: str | None = None, signals: str | None = None, downsample: str | None = None, points: int | None = None, order: Literal["asc", "desc"] | None = None, limit: int | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> Generator[types.Reading, None, None]:
        """The items of every page of `list_readings`, fetched as they are read. `limit` is the length of a page."""
        return self._caller.iterate(routes.VEHICLES_LIST_READINGS, (id,), query={"from": from_, "to": to, "signals": signals, "downsample": downsample, "points": points, "order": order, "limit": limit}, options=CallOptions(timeout_s, max_retries, headers))

    def get_track(self, id: str, *, from_: str | None = None, to: str | None = None, max_points: int | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.Track:
        """Where a vehicle was over a time range.
        A half-open range of at most 2 days, the last one when nothing is asked for.

        Of the stored positions, telemetry and track points alike, at most 45,000 are read, at even times (`everySeconds`). Positions that no vehicle can have driven to, between
        others that agree, are left out. Where there are more than
        `maxPoints`, those that shape the track most are kept (Douglas–Peucker with the distance in time, Meratnia and de By 2004): no position that was left out is
        farther than `toleranceM` from where the points put the vehicle at its time.

        `GET /api/v1/vehicles/{id}/track`; scope `vehicles:read` or `tracking:read`

        Args:
            from_: Start of the range, included. A day before `to` when left out.
            to: End of the range, not included. Now when left out.
            max_points: At most so many points. Preset: `2000`.
        """
        return self._caller.call(routes.VEHICLES_GET_TRACK, (id,), query={"from": from_, "to": to, "maxPoints": max_points}, options=CallOptions(timeout_s, max_retries, headers))

    def list_fault_codes(self, id: str, *, from_: str | None = None, to: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.FaultCodeList:
        """Fault codes of a vehicle, with what they mean.
        What readings of the range report, at most 31 days; and whether the newest list of codes still has it.

        `GET /api/v1/vehicles/{id}/fault-codes`; scope `vehicles:read`

        Args:
            from_: Start of the range, included. 30 days before `to` when left out.
            to: End of the range, not included. Now when left out.
        """
        return self._caller.call(routes.VEHICLES_LIST_FAULT_CODES, (id,), query={"from": from_, "to": to}, options=CallOptions(timeout_s, max_retries, headers))

    def get_odometer(self, id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.Odometer:
        """Odometer, engine hours and daily use of a vehicle.

        `GET /api/v1/vehicles/{id}/odometer`; scope `vehicles:read`
        """
        return self._caller.call(routes.VEHICLES_GET_ODOMETER, (id,), options=CallOptions(timeout_s, max_retries, headers))

    def correct_odometer(self, id: str, body: types.CorrectOdometerRequest, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.Odometer:
        """Correct the odometer or the engine hours.
        For an instrument cluster that was replaced, or a tracker that counts from its installation. Every correction is logged.

        `POST /api/v1/vehicles/{id}/odometer`; scope `vehicles:write`
        """
        return self._caller.call(routes.VEHICLES_CORRECT_ODOMETER, (id,), body=body, options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    def list_odometer_corrections(self, id: str, *, limit: int | None = None, after: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.OdometerCorrectionList:
        """The log of corrections, newest first.

        `GET /api/v1/vehicles/{id}/odometer/corrections`; scope `vehicles:read`

        Args:
            limit: Most items in the answer. Preset: `100`.
            after: `pagination.endCursor` of the page before.
        """
        return self._caller.call(routes.VEHICLES_LIST_ODOMETER_CORRECTIONS, (id,), query={"limit": limit, "after": after}, options=CallOptions(timeout_s, max_retries, headers))

    def iterate_odometer_corrections(self, id: str, *, limit: int | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> Generator[types.OdometerCorrection, None, None]:
        """The items of every page of `list_odometer_corrections`, fetched as they are read. `limit` is the length of a page."""
        return self._caller.iterate(routes.VEHICLES_LIST_ODOMETER_CORRECTIONS, (id,), query={"limit": limit}, options=CallOptions(timeout_s, max_retries, headers))

    def get_maintenance_calendar(self, id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> str:
        """Planned and due maintenance of a vehicle as a calendar file.

        `GET /api/v1/vehicles/{id}/maintenance.ics`; scope `vehicles:read`
        """
        return self._caller.call(routes.VEHICLES_GET_MAINTENANCE_CALENDAR, (id,), options=CallOptions(timeout_s, max_retries, headers))

    def create_calendar_link(self, id: str, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.CalendarLink:
        """Make a link that calendar programs can subscribe to.
        A vehicle has one; another takes its place. It ends when it is revoked, or when the vehicle goes to another sub-client.

        `POST /api/v1/vehicles/{id}/calendar-link`; scope `vehicles:write`
        """
        return self._caller.call(routes.VEHICLES_CREATE_CALENDAR_LINK, (id,), options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    def revoke_calendar_link(self, id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.RevokedCalendarLink:
        """Revoke the link.
        It is dead at once. Repeating it is fine.

        `DELETE /api/v1/vehicles/{id}/calendar-link`; scope `vehicles:write`
        """
        return self._caller.call(routes.VEHICLES_REVOKE_CALENDAR_LINK, (id,), options=CallOptions(timeout_s, max_retries, headers))


class VehicleGroups:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def create(self, body: types.CreateVehicleGroup, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.VehicleGroup:
        """Put vehicles under a name.
        A key that is pinned to a sub-client makes groups of its vehicles.

        `POST /api/v1/vehicle-groups`; scope `vehicles:write`
        """
        return self._caller.call(routes.VEHICLE_GROUPS_CREATE, body=body, options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    def list(self, *, vehicle_id: str | None = None, limit: int | None = None, after: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.VehicleGroupList:
        """List groups of vehicles, oldest first.

        `GET /api/v1/vehicle-groups`; scope `vehicles:read`

        Args:
            vehicle_id: Only groups that this vehicle is in, by our id.
            limit: Most items in the answer. Preset: `100`.
            after: `pagination.endCursor` of the page before.
        """
        return self._caller.call(routes.VEHICLE_GROUPS_LIST, query={"vehicleId": vehicle_id, "limit": limit, "after": after}, options=CallOptions(timeout_s, max_retries, headers))

    def iterate(self, *, vehicle_id: str | None = None, limit: int | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> Generator[types.VehicleGroup, None, None]:
        """The items of every page of `list`, fetched as they are read. `limit` is the length of a page."""
        return self._caller.iterate(routes.VEHICLE_GROUPS_LIST, query={"vehicleId": vehicle_id, "limit": limit}, options=CallOptions(timeout_s, max_retries, headers))

    def get(self, id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.VehicleGroup:
        """Get a group of vehicles.

        `GET /api/v1/vehicle-groups/{id}`; scope `vehicles:read`
        """
        return self._caller.call(routes.VEHICLE_GROUPS_GET, (id,), options=CallOptions(timeout_s, max_retries, headers))

    def update(self, id: str, body: types.VehicleGroupChange, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.VehicleGroup:
        """Rename a group, add and remove vehicles.

        `PATCH /api/v1/vehicle-groups/{id}`; scope `vehicles:write`
        """
        return self._caller.call(routes.VEHICLE_GROUPS_UPDATE, (id,), body=body, options=CallOptions(timeout_s, max_retries, headers))

    def delete(self, id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.DeletedVehicleGroup:
        """Delete a group.
        Its vehicles stay as they are. Refused with 409 while a notification rule is about it.

        `DELETE /api/v1/vehicle-groups/{id}`; scope `vehicles:write`
        """
        return self._caller.call(routes.VEHICLE_GROUPS_DELETE, (id,), options=CallOptions(timeout_s, max_retries, headers))


class Fleet:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def map(self, *, ids: str | None = None, group_id: str | None = None, sub_client_id: str | None = None, health_status: Literal["healthy", "warning", "critical", "unknown"] | None = None, status: Literal["active", "retired"] | None = None, presence: Literal["online", "offline"] | None = None, search: str | None = None, bbox: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.FleetMap:
        """Get where vehicles are, close ones counted together where they are many.

        `GET /api/v1/fleet/map`; scope `vehicles:read`

        Args:
            ids: Only these, up to 500 ids, separated by commas.
            group_id: Only vehicles of this group (`/vehicle-groups`).
            sub_client_id: Only vehicles of this sub-client.
            health_status: Only vehicles of this health: at least 70, at least 40, below 40, or not judged yet.
            status: Those that are in service, or those that are retired. Preset: `active`.
            presence: Whether anything was heard of it within the last minutes.
            search: Only vehicles that have each of these words, 8 at most, in plate, name, make, model, year, VIN, `externalRef`, sub-client or id, in any case.
            bbox: `west,south,east,north` in degrees: only vehicles whose newest position lies within. A box across the antimeridian has its west greater than its east.
        """
        return self._caller.call(routes.FLEET_MAP, query={"ids": ids, "groupId": group_id, "subClientId": sub_client_id, "healthStatus": health_status, "status": status, "presence": presence, "search": search, "bbox": bbox}, options=CallOptions(timeout_s, max_retries, headers))

    def counts(self, *, ids: str | None = None, group_id: str | None = None, sub_client_id: str | None = None, health_status: Literal["healthy", "warning", "critical", "unknown"] | None = None, status: Literal["active", "retired"] | None = None, presence: Literal["online", "offline"] | None = None, search: str | None = None, bbox: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.VehicleCounts:
        """Count vehicles by health and presence.

        `GET /api/v1/fleet/counts`; scope `vehicles:read`

        Args:
            ids: Only these, up to 500 ids, separated by commas.
            group_id: Only vehicles of this group (`/vehicle-groups`).
            sub_client_id: Only vehicles of this sub-client.
            health_status: Only vehicles of this health: at least 70, at least 40, below 40, or not judged yet.
            status: Those that are in service, or those that are retired. Preset: `active`.
            presence: Whether anything was heard of it within the last minutes.
            search: Only vehicles that have each of these words, 8 at most, in plate, name, make, model, year, VIN, `externalRef`, sub-client or id, in any case.
            bbox: `west,south,east,north` in degrees: only vehicles whose newest position lies within. A box across the antimeridian has its west greater than its east.
        """
        return self._caller.call(routes.FLEET_COUNTS, query={"ids": ids, "groupId": group_id, "subClientId": sub_client_id, "healthStatus": health_status, "status": status, "presence": presence, "search": search, "bbox": bbox}, options=CallOptions(timeout_s, max_retries, headers))

    def positions(self, *, sub_client_id: str | None = None, received_since: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> Generator[published.Position, None, None]:
        """Get where every device is, in one answer.
        For live maps of a whole fleet: one JSON object a line (NDJSON), sent as it is read, without pages. Devices that never had a position are left out. An answer that could not be read to its end is cut off.

        `GET /api/v1/fleet/positions`; scope `devices:read` or `tracking:read`

        Args:
            sub_client_id: Only devices of this sub-client.
            received_since: Only positions that came in since: give the newest `receivedAt` of the answer before to get what is new. Those of the 10 seconds before come again, as they may have been stored after that answer.
        """
        return self._caller.lines(routes.FLEET_POSITIONS, query={"subClientId": sub_client_id, "receivedSince": received_since}, options=CallOptions(timeout_s, max_retries, headers))


class Overview:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def get(self, *, since: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.Overview:
        """What needs someone today, how the fleet is, and what changed.
        Everything on the first page of the dashboard. Parts that need a scope which the caller does not have are null.

        `GET /api/v1/overview`; scope `vehicles:read`

        Args:
            since: Adds what changed since then, such as the last visit of a person. At most 31 days ago.
        """
        return self._caller.call(routes.OVERVIEW_GET, query={"since": since}, options=CallOptions(timeout_s, max_retries, headers))


class Map:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def get(self, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.MapSources:
        """Where the streets of the map come from.
        As the operator of the service has set it for all: MAP_STYLE_URL, MAP_PMTILES_URL or MAP_RASTER_URL.

        `GET /api/v1/map`; scope `vehicles:read`
        """
        return self._caller.call(routes.MAP_GET, options=CallOptions(timeout_s, max_retries, headers))


class Predictions:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(self, *, vehicle_id: str | None = None, limit: int | None = None, after: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.PredictionList:
        """List maintenance predictions, oldest first.

        `GET /api/v1/predictions`; scope `predict`

        Args:
            vehicle_id: Our id, or the caller's own reference.
            limit: Most items in the answer. Preset: `100`.
            after: `pagination.endCursor` of the page before.
        """
        return self._caller.call(routes.PREDICTIONS_LIST, query={"vehicleId": vehicle_id, "limit": limit, "after": after}, options=CallOptions(timeout_s, max_retries, headers))

    def iterate(self, *, vehicle_id: str | None = None, limit: int | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> Generator[types.Prediction, None, None]:
        """The items of every page of `list`, fetched as they are read. `limit` is the length of a page."""
        return self._caller.iterate(routes.PREDICTIONS_LIST, query={"vehicleId": vehicle_id, "limit": limit}, options=CallOptions(timeout_s, max_retries, headers))

    def try_(self, body: types.TryRequest, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.TryAnswer:
        """Ask what the engine makes of one reading.
        Shows how each key is understood, and what the reading would mean if it lasted, of a vehicle of which nothing else is known. Nothing is stored and no alert is opened. It counts as a prediction; at most 30 a minute.

        `POST /api/v1/predictions/try`; scope `predict`
        """
        return self._caller.call(routes.PREDICTIONS_TRY_, body=body, options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    def get_accuracy(self, *, component: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.PredictionAccuracy:
        """What had been predicted, compared with what was found.
        Made of completed maintenance: the prediction last published before the work, beside when the part failed. Parts that were replaced before they failed show nothing of the error; they are counted apart.

        `GET /api/v1/predictions/accuracy`; scope `predict`

        Args:
            component: In lower case. Those that predictions name (`brakes`, `battery`, `engine`, …) have a life that maintenance resets; any other is kept as it is called.
        """
        return self._caller.call(routes.PREDICTIONS_GET_ACCURACY, query={"component": component}, options=CallOptions(timeout_s, max_retries, headers))


class Models:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(self, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.ModelList:
        """What answers predictions, with its figures and where they come from.

        `GET /api/v1/models`; scope `predict`
        """
        return self._caller.call(routes.MODELS_LIST, options=CallOptions(timeout_s, max_retries, headers))

    def get_drift(self, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.ModelDrift:
        """How well the models fit the fleet at present.
        Vehicles whose readings the models find unlike normal although no incident explains it, and how many of the incidents that people closed were false alarms, in the last 30 days and the 30 before. Both grow when vehicles move away from what the models were made on.

        `GET /api/v1/models/drift`; scope `predict`
        """
        return self._caller.call(routes.MODELS_GET_DRIFT, options=CallOptions(timeout_s, max_retries, headers))


class Incidents:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(self, *, status: Literal["open", "acknowledged", "snoozed", "resolved"] | None = None, severity: Literal["info", "low", "medium", "high", "critical"] | None = None, component: str | None = None, vehicle_id: str | None = None, sub_client_id: str | None = None, group_id: str | None = None, order: Literal["newest", "urgency"] | None = None, limit: int | None = None, after: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.IncidentList:
        """List incidents, newest first or by urgency.
        Findings with one cause are one incident: one severity, one component, one recommendation, its evidence beside each other.

        `GET /api/v1/incidents`; scope `predict`

        Args:
            status: Only incidents in this status. All of them when left out.
            severity: Only incidents of this severity.
            component: Only incidents of this component.
            vehicle_id: Our id, or the caller's own reference.
            sub_client_id: Only incidents of what this sub-client owns.
            group_id: Only of vehicles of this group (`/vehicle-groups`).
            order: `urgency`: only incidents that are not resolved; first what must be done at once, gravest and then oldest first, then the others by `actBy`. Preset: `newest`.
            limit: Most items in the answer. Preset: `100`.
            after: `pagination.endCursor` of the page before.
        """
        return self._caller.call(routes.INCIDENTS_LIST, query={"status": status, "severity": severity, "component": component, "vehicleId": vehicle_id, "subClientId": sub_client_id, "groupId": group_id, "order": order, "limit": limit, "after": after}, options=CallOptions(timeout_s, max_retries, headers))

    def iterate(self, *, status: Literal["open", "acknowledged", "snoozed", "resolved"] | None = None, severity: Literal["info", "low", "medium", "high", "critical"] | None = None, component: str | None = None, vehicle_id: str | None = None, sub_client_id: str | None = None, group_id: str | None = None, order: Literal["newest", "urgency"] | None = None, limit: int | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> Generator[types.Incident, None, None]:
        """The items of every page of `list`, fetched as they are read. `limit` is the length of a page."""
        return self._caller.iterate(routes.INCIDENTS_LIST, query={"status": status, "severity": severity, "component": component, "vehicleId": vehicle_id, "subClientId": sub_client_id, "groupId": group_id, "order": order, "limit": limit}, options=CallOptions(timeout_s, max_retries, headers))

    def get(self, id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.Incident:
        """Get one incident.

        `GET /api/v1/incidents/{id}`; scope `predict`
        """
        return self._caller.call(routes.INCIDENTS_GET, (id,), options=CallOptions(timeout_s, max_retries, headers))

    def update(self, id: str, body: types.IncidentChange, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.Incident:
        """Acknowledge, snooze, resolve or assign an incident, or take that back.
        Resolving resolves its alerts, each by its own rules; what is found anew, or gets worse, opens another incident. A snooze ends at its time, and when the incident gets graver.

        `PATCH /api/v1/incidents/{id}`; scope `predict`
        """
        return self._caller.call(routes.INCIDENTS_UPDATE, (id,), body=body, options=CallOptions(timeout_s, max_retries, headers))

    def list_history(self, id: str, *, limit: int | None = None, after: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.IncidentHistory:
        """What people did to an incident, newest first.
        Who acknowledged, snoozed, assigned, opened again or resolved it, and when: as long as the audit log is kept.

        `GET /api/v1/incidents/{id}/history`; scope `predict`

        Args:
            limit: Most items in the answer. Preset: `100`.
            after: `pagination.endCursor` of the page before.
        """
        return self._caller.call(routes.INCIDENTS_LIST_HISTORY, (id,), query={"limit": limit, "after": after}, options=CallOptions(timeout_s, max_retries, headers))

    def iterate_history(self, id: str, *, limit: int | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> Generator[types.IncidentStep, None, None]:
        """The items of every page of `list_history`, fetched as they are read. `limit` is the length of a page."""
        return self._caller.iterate(routes.INCIDENTS_LIST_HISTORY, (id,), query={"limit": limit}, options=CallOptions(timeout_s, max_retries, headers))

    def list_assignees(self, *, limit: int | None = None, after: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.AssigneeList:
        """List the people to whom incidents can be assigned.
        Those of one sub-client see only its incidents. A caller that is bound to a sub-client is shown its people alone.

        `GET /api/v1/incidents/assignees`; scope `predict`

        Args:
            limit: Most items in the answer. Preset: `100`.
            after: `pagination.endCursor` of the page before.
        """
        return self._caller.call(routes.INCIDENTS_LIST_ASSIGNEES, query={"limit": limit, "after": after}, options=CallOptions(timeout_s, max_retries, headers))

    def iterate_assignees(self, *, limit: int | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> Generator[types.Assignee, None, None]:
        """The items of every page of `list_assignees`, fetched as they are read. `limit` is the length of a page."""
        return self._caller.iterate(routes.INCIDENTS_LIST_ASSIGNEES, query={"limit": limit}, options=CallOptions(timeout_s, max_retries, headers))


class Alerts:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(self, *, severity: Literal["info", "low", "medium", "high", "critical"] | None = None, status: Literal["open", "acknowledged", "resolved"] | None = None, vehicle_id: str | None = None, device_id: str | None = None, group_id: str | None = None, limit: int | None = None, after: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.AlertList:
        """List alerts, newest first.

        `GET /api/v1/alerts`; scope `predict`

        Args:
            severity: Only alerts of this severity.
            status: Only alerts in this status. All of them when left out.
            vehicle_id: Our id, or the caller's own reference.
            device_id: Only alerts that this device raised. Its id, or its IMEI.
            group_id: Only of vehicles of this group (`/vehicle-groups`).
            limit: Most items in the answer. Preset: `100`.
            after: `pagination.endCursor` of the page before.
        """
        return self._caller.call(routes.ALERTS_LIST, query={"severity": severity, "status": status, "vehicleId": vehicle_id, "deviceId": device_id, "groupId": group_id, "limit": limit, "after": after}, options=CallOptions(timeout_s, max_retries, headers))

    def iterate(self, *, severity: Literal["info", "low", "medium", "high", "critical"] | None = None, status: Literal["open", "acknowledged", "resolved"] | None = None, vehicle_id: str | None = None, device_id: str | None = None, group_id: str | None = None, limit: int | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> Generator[types.Alert, None, None]:
        """The items of every page of `list`, fetched as they are read. `limit` is the length of a page."""
        return self._caller.iterate(routes.ALERTS_LIST, query={"severity": severity, "status": status, "vehicleId": vehicle_id, "deviceId": device_id, "groupId": group_id, "limit": limit}, options=CallOptions(timeout_s, max_retries, headers))

    def get(self, id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.Alert:
        """Get one alert.

        `GET /api/v1/alerts/{id}`; scope `predict`
        """
        return self._caller.call(routes.ALERTS_GET, (id,), options=CallOptions(timeout_s, max_retries, headers))

    def update(self, id: str, body: types.AlertChange, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.Alert:
        """Acknowledge or resolve an alert.
        Acknowledging survives later answers of the engine. Resolving holds until the condition is gone and comes back, or gets worse; then another alert opens.

        `PATCH /api/v1/alerts/{id}`; scope `predict`
        """
        return self._caller.call(routes.ALERTS_UPDATE, (id,), body=body, options=CallOptions(timeout_s, max_retries, headers))


class MaintenanceSchedules:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(self, *, vehicle_id: str | None = None, status: Literal["unknown", "ok", "due_soon", "overdue"] | None = None, component: str | None = None, from_: str | None = None, to: str | None = None, limit: int | None = None, after: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.ScheduleList:
        """List what falls due, oldest schedule first.
        Schedules of retired vehicles are listed where `vehicleId` names one.

        `GET /api/v1/maintenance/schedules`; scope `vehicles:read`

        Args:
            vehicle_id: Our id, or the caller's own reference.
            status: Only schedules in this status.
            component: In lower case. Those that predictions name (`brakes`, `battery`, `engine`, …) have a life that maintenance resets; any other is kept as it is called.
            from_: Only schedules with `next.expectedAt` at this time or later.
            to: Only schedules with `next.expectedAt` before this time.
            limit: Most items in the answer. Preset: `100`.
            after: `pagination.endCursor` of the page before.
        """
        return self._caller.call(routes.MAINTENANCE_SCHEDULES_LIST, query={"vehicleId": vehicle_id, "status": status, "component": component, "from": from_, "to": to, "limit": limit, "after": after}, options=CallOptions(timeout_s, max_retries, headers))

    def iterate(self, *, vehicle_id: str | None = None, status: Literal["unknown", "ok", "due_soon", "overdue"] | None = None, component: str | None = None, from_: str | None = None, to: str | None = None, limit: int | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> Generator[types.Schedule, None, None]:
        """The items of every page of `list`, fetched as they are read. `limit` is the length of a page."""
        return self._caller.iterate(routes.MAINTENANCE_SCHEDULES_LIST, query={"vehicleId": vehicle_id, "status": status, "component": component, "from": from_, "to": to, "limit": limit}, options=CallOptions(timeout_s, max_retries, headers))

    def create(self, body: types.CreateScheduleRequest, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.Schedule:
        """Have work fall due by time, distance or engine hours.
        Due soon and overdue are alerts (`maintenance_due_soon`, `maintenance_overdue`), which end when the work is done.

        `POST /api/v1/maintenance/schedules`; scope `vehicles:write`
        """
        return self._caller.call(routes.MAINTENANCE_SCHEDULES_CREATE, body=body, options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    def get(self, id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.Schedule:
        """Get one schedule.

        `GET /api/v1/maintenance/schedules/{id}`; scope `vehicles:read`
        """
        return self._caller.call(routes.MAINTENANCE_SCHEDULES_GET, (id,), options=CallOptions(timeout_s, max_retries, headers))

    def update(self, id: str, body: types.ChangeScheduleRequest, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.Schedule:
        """Change a schedule.

        `PATCH /api/v1/maintenance/schedules/{id}`; scope `vehicles:write`
        """
        return self._caller.call(routes.MAINTENANCE_SCHEDULES_UPDATE, (id,), body=body, options=CallOptions(timeout_s, max_retries, headers))

    def delete(self, id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.RemovedSchedule:
        """Remove a schedule and end its alerts.

        `DELETE /api/v1/maintenance/schedules/{id}`; scope `vehicles:write`
        """
        return self._caller.call(routes.MAINTENANCE_SCHEDULES_DELETE, (id,), options=CallOptions(timeout_s, max_retries, headers))


class Maintenance:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self.schedules = MaintenanceSchedules(caller)

    def list(self, *, vehicle_id: str | None = None, status: Literal["planned", "completed"] | None = None, component: str | None = None, from_: str | None = None, to: str | None = None, limit: int | None = None, after: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.MaintenanceList:
        """List work that was done and is planned, newest record first.
        What is planned for retired vehicles is listed where `vehicleId` names one.

        `GET /api/v1/maintenance`; scope `vehicles:read`

        Args:
            vehicle_id: Our id, or the caller's own reference.
            status: Only records in this status.
            component: In lower case. Those that predictions name (`brakes`, `battery`, `engine`, …) have a life that maintenance resets; any other is kept as it is called.
            from_: Only work that was done, or that is to be done, at this time or later. Work without a day is left out.
            to: Only work that was done, or that is to be done, before this time. Work without a day is left out.
            limit: Most items in the answer. Preset: `100`.
            after: `pagination.endCursor` of the page before.
        """
        return self._caller.call(routes.MAINTENANCE_LIST, query={"vehicleId": vehicle_id, "status": status, "component": component, "from": from_, "to": to, "limit": limit, "after": after}, options=CallOptions(timeout_s, max_retries, headers))

    def iterate(self, *, vehicle_id: str | None = None, status: Literal["planned", "completed"] | None = None, component: str | None = None, from_: str | None = None, to: str | None = None, limit: int | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> Generator[types.Maintenance, None, None]:
        """The items of every page of `list`, fetched as they are read. `limit` is the length of a page."""
        return self._caller.iterate(routes.MAINTENANCE_LIST, query={"vehicleId": vehicle_id, "status": status, "component": component, "from": from_, "to": to, "limit": limit}, options=CallOptions(timeout_s, max_retries, headers))

    def create(self, body: types.CreateMaintenanceRequest, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.Maintenance:
        """Plan work, or put on record what was done.

        `POST /api/v1/maintenance`; scope `vehicles:write`
        """
        return self._caller.call(routes.MAINTENANCE_CREATE, body=body, options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    def get(self, id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.Maintenance:
        """Get one record.

        `GET /api/v1/maintenance/{id}`; scope `vehicles:read`
        """
        return self._caller.call(routes.MAINTENANCE_GET, (id,), options=CallOptions(timeout_s, max_retries, headers))

    def update(self, id: str, body: types.ChangeMaintenanceRequest, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.Maintenance:
        """Mend a record.

        `PATCH /api/v1/maintenance/{id}`; scope `vehicles:write`
        """
        return self._caller.call(routes.MAINTENANCE_UPDATE, (id,), body=body, options=CallOptions(timeout_s, max_retries, headers))

    def delete(self, id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.RemovedMaintenance:
        """Remove a record that was made by mistake.
        Lives are counted as if it had never been. Alerts it resolved and schedules it restarted stay as they are.

        `DELETE /api/v1/maintenance/{id}`; scope `vehicles:write`
        """
        return self._caller.call(routes.MAINTENANCE_DELETE, (id,), options=CallOptions(timeout_s, max_retries, headers))

    def complete(self, id: str, body: types.CompleteMaintenanceRequest | None = None, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.Maintenance:
        """Complete planned work.
        Publishes `maintenance.completed`, resolves the open alerts of the component that were opened before, begins its life anew in the next prediction, restarts its schedules, and holds the prediction that stood against what happened. Repeating it is fine.

        `POST /api/v1/maintenance/{id}/complete`; scope `vehicles:write`
        """
        return self._caller.call(routes.MAINTENANCE_COMPLETE, (id,), body=body, options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    @overload
    def list_lives(self, *, component: str, unit: Literal["km", "days", "engine_hours"] | None = None, format: Literal["json"] | None = None, limit: int | None = None, after: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.LifeList: ...

    @overload
    def list_lives(self, *, component: str, unit: Literal["km", "days", "engine_hours"] | None = None, format: Literal["csv"], limit: int | None = None, after: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> str: ...

    def list_lives(self, *, component: str, unit: Literal["km", "days", "engine_hours"] | None = None, format: Literal["json", "csv"] | None = None, limit: int | None = None, after: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.LifeList | str:
        """How long parts of one component lasted.
        As CSV, what `npx roadworthy fit life --time km --event failed` takes: the life model of your own fleet.

        `GET /api/v1/maintenance/lives`; scope `vehicles:read`

        Args:
            component: In lower case. Those that predictions name (`brakes`, `battery`, `engine`, …) have a life that maintenance resets; any other is kept as it is called.
            unit: What lives are counted in. Preset: `km`.
            format: `csv` answers all of them at once, for `npx roadworthy fit life`. Preset: `json`.
            limit: Most items in the answer. Preset: `100`.
            after: `pagination.endCursor` of the page before.
        """
        return self._caller.call(routes.MAINTENANCE_LIST_LIVES, query={"component": component, "unit": unit, "format": format, "limit": limit, "after": after}, options=CallOptions(timeout_s, max_retries, headers))

    def iterate_lives(self, *, component: str, unit: Literal["km", "days", "engine_hours"] | None = None, limit: int | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> Generator[types.Life, None, None]:
        """The items of every page of `list_lives`, fetched as they are read. `limit` is the length of a page."""
        return self._caller.iterate(routes.MAINTENANCE_LIST_LIVES, query={"component": component, "unit": unit, "limit": limit}, options=CallOptions(timeout_s, max_retries, headers))


class Calendars:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def get(self, token: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> str:
        """The same calendar by its link.
        For calendar programs, which send no key.

        `GET /api/v1/calendars/{token}`
        """
        return self._caller.call(routes.CALENDARS_GET, (token,), options=CallOptions(timeout_s, max_retries, headers))


class Events:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(self, *, type: str | None = None, limit: int | None = None, after: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.EventList:
        """Follow the log of events, oldest first.
        What webhooks are sent, to be fetched. Keep `pagination.endCursor` and give it as `after` the next time: nothing is passed over, and nothing comes twice. A key sees the events of what it may read.

        `GET /api/v1/events`; scope `vehicles:read` or `predict` or `devices:read` or `billing:read` or `webhooks:manage`

        Args:
            type: Only events of these types, separated by commas: `vehicle.health.changed`, `alert.created`, `alert.updated`, `alert.resolved`, `incident.opened`, `incident.updated`, `incident.resolved`, `prediction.created`, `maintenance.completed`, `device.online`, `device.offline`, `device.decommissioned`, `sim.state.changed`, `sim.action.failed`, `sim.anomaly`, `usage.threshold`, `invoice.opened`, `invoice.paid`, `invoice.overdue`, `invoice.voided`, `invoice.credited`, `payment.failed`, `payment.unapplied`, `payment.refund.updated`, `payment.dispute.updated`, `webhook.endpoint.disabled`, `webhook.test`. All that the key may see when left out.
            limit: Most items in the answer. Preset: `100`.
            after: `pagination.endCursor` of the page before.
        """
        return self._caller.call(routes.EVENTS_LIST, query={"type": type, "limit": limit, "after": after}, options=CallOptions(timeout_s, max_retries, headers))

    def iterate(self, *, type: str | None = None, limit: int | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> Generator[types.LoggedEvent, None, None]:
        """The items of every page of `list`, fetched as they are read. `limit` is the length of a page."""
        return self._caller.iterate(routes.EVENTS_LIST, query={"type": type, "limit": limit}, options=CallOptions(timeout_s, max_retries, headers))


class Stream:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def follow(self, *, vehicles: str | None = None, bbox: str | None = None, last_event_id: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> Generator[published.StreamMessage, None, None]:
        """Follow events and vehicles as they change.
        Server-sent events, for `EventSource`. Messages:

        - `ready`: the stream stands. Its id is where the log ends, or what was given as `Last-Event-ID`.
        - `event`: one event of the log that the caller may read, as webhooks get it. Its id is its cursor in the log, also for `GET /api/v1/events`.
        - `vehicles`: `{"vehicles": […]}`, the newest state of those that changed (`VehicleChange`), first of all that are shown, then at most once a
          second. It needs the scope `vehicles:read`.
        - `reset`: more has happened than is sent again, or it is no longer kept. Fetch anew what you show; the stream goes on from here.

        After a cut, connect again with `Last-Event-ID`: nothing is passed over and nothing comes twice. The stream ends when the key is revoked, the
        session ends, or rights change. At most 10 streams of a key or person and 200 of a reseller at a process, else 429. A connection is one call.

        `GET /api/v1/stream`; scope `vehicles:read` or `predict` or `devices:read` or `billing:read` or `webhooks:manage`

        Args:
            vehicles: Ids of up to 500 vehicles to show, separated by commas.
            bbox: `west,south,east,north` in degrees: also the vehicles within, those heard last first, until 500 are shown. A box across the antimeridian has its west greater than its east.
            last_event_id: As the header `Last-Event-ID`, which a browser cannot set by itself. The header counts for more.
        """
        return self._caller.follow(routes.STREAM_FOLLOW, query={"vehicles": vehicles, "bbox": bbox, "lastEventId": last_event_id}, options=CallOptions(timeout_s, max_retries, headers))


class Webhooks:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def create(self, body: types.CreateWebhookRequest, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.WebhookWithSecret:
        """Add an endpoint that events are sent to.
        The secret is in this answer and nowhere else. The URL must be https and lead to a public address, now and at every attempt. A key that is pinned to a sub-client adds endpoints that are sent its events only.

        `POST /api/v1/webhooks`; scope `webhooks:manage`
        """
        return self._caller.call(routes.WEBHOOKS_CREATE, body=body, options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    def list(self, *, limit: int | None = None, after: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.WebhookList:
        """List endpoints, oldest first.

        `GET /api/v1/webhooks`; scope `webhooks:manage`

        Args:
            limit: Most items in the answer. Preset: `100`.
            after: `pagination.endCursor` of the page before.
        """
        return self._caller.call(routes.WEBHOOKS_LIST, query={"limit": limit, "after": after}, options=CallOptions(timeout_s, max_retries, headers))

    def iterate(self, *, limit: int | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> Generator[types.Webhook, None, None]:
        """The items of every page of `list`, fetched as they are read. `limit` is the length of a page."""
        return self._caller.iterate(routes.WEBHOOKS_LIST, query={"limit": limit}, options=CallOptions(timeout_s, max_retries, headers))

    def get(self, id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.Webhook:
        """Get one endpoint.

        `GET /api/v1/webhooks/{id}`; scope `webhooks:manage`
        """
        return self._caller.call(routes.WEBHOOKS_GET, (id,), options=CallOptions(timeout_s, max_retries, headers))

    def update(self, id: str, body: types.WebhookChange, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.Webhook:
        """Change an endpoint.

        `PATCH /api/v1/webhooks/{id}`; scope `webhooks:manage`
        """
        return self._caller.call(routes.WEBHOOKS_UPDATE, (id,), body=body, options=CallOptions(timeout_s, max_retries, headers))

    def delete(self, id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.DeletedWebhook:
        """Delete an endpoint.
        With what was still to be sent, and with its delivery log.

        `DELETE /api/v1/webhooks/{id}`; scope `webhooks:manage`
        """
        return self._caller.call(routes.WEBHOOKS_DELETE, (id,), options=CallOptions(timeout_s, max_retries, headers))

    def rotate_secret(self, id: str, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.WebhookWithSecret:
        """Make a new signing secret.
        For 24 h messages are signed with both secrets. The new one is in this answer and nowhere else.

        `POST /api/v1/webhooks/{id}/secret/rotate`; scope `webhooks:manage`
        """
        return self._caller.call(routes.WEBHOOKS_ROTATE_SECRET, (id,), options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    def pause(self, id: str, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.Webhook:
        """Stop sending to an endpoint.
        Events are kept for 30 days and sent when it is resumed. Repeating it is fine. A disabled endpoint cannot be paused.

        `POST /api/v1/webhooks/{id}/pause`; scope `webhooks:manage`
        """
        return self._caller.call(routes.WEBHOOKS_PAUSE, (id,), options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    def resume(self, id: str, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.Webhook:
        """Send to an endpoint again, paused or disabled.
        What was kept is sent at once. Events that happened while it was disabled are not among it: recover them.

        `POST /api/v1/webhooks/{id}/resume`; scope `webhooks:manage`
        """
        return self._caller.call(routes.WEBHOOKS_RESUME, (id,), options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    def test(self, id: str, body: types.WebhookTestRequest | None = None, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.WebhookTestSent:
        """Send a test event to an endpoint.
        To this endpoint only, whatever its filter; it goes the way of every event and is in its deliveries. With `eventType` it is a sample of that type, made up and with `test: true` beside `data`, which is not in the log of events. Without, it is a `webhook.test`.

        `POST /api/v1/webhooks/{id}/test`; scope `webhooks:manage`
        """
        return self._caller.call(routes.WEBHOOKS_TEST, (id,), body=body, options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    def get_statistics(self, id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.WebhookStatistics:
        """Count what became of the deliveries of the last day.
        Of the newest 10,000 at most.

        `GET /api/v1/webhooks/{id}/statistics`; scope `webhooks:manage`
        """
        return self._caller.call(routes.WEBHOOKS_GET_STATISTICS, (id,), options=CallOptions(timeout_s, max_retries, headers))

    def recover(self, id: str, body: types.RecoverRequest, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.RecoveredDeliveries:
        """Send everything again that did not arrive.
        Every event of the range that the endpoint asks for and did not get: those that failed, those that wait for a later attempt, and those that happened while it was disabled. What was delivered is not repeated.

        `POST /api/v1/webhooks/{id}/recover`; scope `webhooks:manage`
        """
        return self._caller.call(routes.WEBHOOKS_RECOVER, (id,), body=body, options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    def list_deliveries(self, id: str, *, status: Literal["pending", "delivered", "failed"] | None = None, event_type: Literal["vehicle.health.changed", "alert.created", "alert.updated", "alert.resolved", "incident.opened", "incident.updated", "incident.resolved", "prediction.created", "maintenance.completed", "device.online", "device.offline", "device.decommissioned", "sim.state.changed", "sim.action.failed", "sim.anomaly", "usage.threshold", "invoice.opened", "invoice.paid", "invoice.overdue", "invoice.voided", "invoice.credited", "payment.failed", "payment.unapplied", "payment.refund.updated", "payment.dispute.updated", "webhook.endpoint.disabled", "webhook.test"] | None = None, event_id: str | None = None, from_: str | None = None, to: str | None = None, limit: int | None = None, after: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.WebhookDeliveryList:
        """List what was and is to be sent to an endpoint, newest first.
        Of the last 30 days.

        `GET /api/v1/webhooks/{id}/deliveries`; scope `webhooks:manage`

        Args:
            status: `pending`: an attempt is still to come. `failed`: all ten were made.
            event_type: Only events of this type.
            event_id: Only this event.
            from_: Only what was made from then on; RFC 3339 with an offset.
            to: Only what was made before then; RFC 3339 with an offset.
            limit: Most items in the answer. Preset: `100`.
            after: `pagination.endCursor` of the page before.
        """
        return self._caller.call(routes.WEBHOOKS_LIST_DELIVERIES, (id,), query={"status": status, "eventType": event_type, "eventId": event_id, "from": from_, "to": to, "limit": limit, "after": after}, options=CallOptions(timeout_s, max_retries, headers))

    def iterate_deliveries(self, id: str, *, status: Literal["pending", "delivered", "failed"] | None = None, event_type: Literal["vehicle.health.changed", "alert.created", "alert.updated", "alert.resolved", "incident.opened", "incident.updated", "incident.resolved", "prediction.created", "maintenance.completed", "device.online", "device.offline", "device.decommissioned", "sim.state.changed", "sim.action.failed", "sim.anomaly", "usage.threshold", "invoice.opened", "invoice.paid", "invoice.overdue", "invoice.voided", "invoice.credited", "payment.failed", "payment.unapplied", "payment.refund.updated", "payment.dispute.updated", "webhook.endpoint.disabled", "webhook.test"] | None = None, event_id: str | None = None, from_: str | None = None, to: str | None = None, limit: int | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> Generator[types.WebhookDelivery, None, None]:
        """The items of every page of `list_deliveries`, fetched as they are read. `limit` is the length of a page."""
        return self._caller.iterate(routes.WEBHOOKS_LIST_DELIVERIES, (id,), query={"status": status, "eventType": event_type, "eventId": event_id, "from": from_, "to": to, "limit": limit}, options=CallOptions(timeout_s, max_retries, headers))

    def get_delivery(self, id: str, delivery_id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.WebhookDeliveryDetail:
        """Get a delivery with every request and answer.
        For a key that may read the event.

        `GET /api/v1/webhooks/{id}/deliveries/{deliveryId}`; scope `webhooks:manage`
        """
        return self._caller.call(routes.WEBHOOKS_GET_DELIVERY, (id, delivery_id,), options=CallOptions(timeout_s, max_retries, headers))

    def resend_delivery(self, id: str, delivery_id: str, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.WebhookDelivery:
        """Send one event again.
        At once, with the same `webhook-id`, and by the whole schedule if it fails. While the endpoint is not enabled it waits for that. For a key that may read the event.

        `POST /api/v1/webhooks/{id}/deliveries/{deliveryId}/resend`; scope `webhooks:manage`
        """
        return self._caller.call(routes.WEBHOOKS_RESEND_DELIVERY, (id, delivery_id,), options=CallOptions(timeout_s, max_retries, headers, idempotency_key))


class NotificationRules:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def create(self, body: types.CreateNotificationRule, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.NotificationRule:
        """Add a rule about who is sent a message about which incidents.
        It is about incidents that open or change from now on. A key that is pinned to a sub-client adds rules about its incidents, for its people.

        `POST /api/v1/notification-rules`; scope `webhooks:manage`
        """
        return self._caller.call(routes.NOTIFICATION_RULES_CREATE, body=body, options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    def list(self, *, limit: int | None = None, after: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.NotificationRuleList:
        """List rules, oldest first.

        `GET /api/v1/notification-rules`; scope `webhooks:manage`

        Args:
            limit: Most items in the answer. Preset: `100`.
            after: `pagination.endCursor` of the page before.
        """
        return self._caller.call(routes.NOTIFICATION_RULES_LIST, query={"limit": limit, "after": after}, options=CallOptions(timeout_s, max_retries, headers))

    def iterate(self, *, limit: int | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> Generator[types.NotificationRule, None, None]:
        """The items of every page of `list`, fetched as they are read. `limit` is the length of a page."""
        return self._caller.iterate(routes.NOTIFICATION_RULES_LIST, query={"limit": limit}, options=CallOptions(timeout_s, max_retries, headers))

    def get(self, id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.NotificationRule:
        """Get a rule.

        `GET /api/v1/notification-rules/{id}`; scope `webhooks:manage`
        """
        return self._caller.call(routes.NOTIFICATION_RULES_GET, (id,), options=CallOptions(timeout_s, max_retries, headers))

    def update(self, id: str, body: types.NotificationRuleChange, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.NotificationRule:
        """Change, enable or disable a rule.
        It acts on what follows.

        `PATCH /api/v1/notification-rules/{id}`; scope `webhooks:manage`
        """
        return self._caller.call(routes.NOTIFICATION_RULES_UPDATE, (id,), body=body, options=CallOptions(timeout_s, max_retries, headers))

    def delete(self, id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.DeletedNotificationRule:
        """Delete a rule.
        Nothing more is sent by it. What was sent stays in the log.

        `DELETE /api/v1/notification-rules/{id}`; scope `webhooks:manage`
        """
        return self._caller.call(routes.NOTIFICATION_RULES_DELETE, (id,), options=CallOptions(timeout_s, max_retries, headers))

    def test(self, id: str, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.NotificationTestSent:
        """Send a test to everybody a rule names.
        At any hour, and once a minute at most. `GET /notifications?ruleId=…` shows what came of it.

        `POST /api/v1/notification-rules/{id}/test`; scope `webhooks:manage`
        """
        return self._caller.call(routes.NOTIFICATION_RULES_TEST, (id,), options=CallOptions(timeout_s, max_retries, headers, idempotency_key))


class Notifications:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(self, *, rule_id: str | None = None, incident_id: str | None = None, recipient: str | None = None, status: Literal["pending", "sending", "sent", "failed", "uncertain", "cancelled"] | None = None, limit: int | None = None, after: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.NotificationList:
        """List what was and is to be sent, newest first.
        Kept for a year, and as long as the incident lives. A key that is pinned to a sub-client sees what the rules of it sent.

        `GET /api/v1/notifications`; scope `webhooks:manage`

        Args:
            rule_id: Only of this rule.
            incident_id: Only about this incident.
            recipient: Only to this user or channel.
            status: `pending`: an attempt is to come. `uncertain`: the process ended while it was sending, or a chat did not answer; the message may have arrived, and is not sent again. `cancelled`: the incident is no longer open, or the rule is gone or does not name the recipient any more, and no attempt is made.
            limit: Most items in the answer. Preset: `100`.
            after: `pagination.endCursor` of the page before.
        """
        return self._caller.call(routes.NOTIFICATIONS_LIST, query={"ruleId": rule_id, "incidentId": incident_id, "recipient": recipient, "status": status, "limit": limit, "after": after}, options=CallOptions(timeout_s, max_retries, headers))

    def iterate(self, *, rule_id: str | None = None, incident_id: str | None = None, recipient: str | None = None, status: Literal["pending", "sending", "sent", "failed", "uncertain", "cancelled"] | None = None, limit: int | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> Generator[types.Notification, None, None]:
        """The items of every page of `list`, fetched as they are read. `limit` is the length of a page."""
        return self._caller.iterate(routes.NOTIFICATIONS_LIST, query={"ruleId": rule_id, "incidentId": incident_id, "recipient": recipient, "status": status, "limit": limit}, options=CallOptions(timeout_s, max_retries, headers))


class NotificationChannels:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def create(self, body: types.CreateNotificationChannel, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.CreatedNotificationChannel:
        """Connect a chat, a topic or a program that messages go to.
        Rules name it among their recipients. A key that is pinned to a sub-client connects channels of it.

        `POST /api/v1/notification-channels`; scope `webhooks:manage`
        """
        return self._caller.call(routes.NOTIFICATION_CHANNELS_CREATE, body=body, options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    def list(self, *, limit: int | None = None, after: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.NotificationChannelList:
        """List channels, oldest first.

        `GET /api/v1/notification-channels`; scope `webhooks:manage`

        Args:
            limit: Most items in the answer. Preset: `100`.
            after: `pagination.endCursor` of the page before.
        """
        return self._caller.call(routes.NOTIFICATION_CHANNELS_LIST, query={"limit": limit, "after": after}, options=CallOptions(timeout_s, max_retries, headers))

    def iterate(self, *, limit: int | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> Generator[types.NotificationChannel, None, None]:
        """The items of every page of `list`, fetched as they are read. `limit` is the length of a page."""
        return self._caller.iterate(routes.NOTIFICATION_CHANNELS_LIST, query={"limit": limit}, options=CallOptions(timeout_s, max_retries, headers))

    def get(self, id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.NotificationChannel:
        """Get a channel.

        `GET /api/v1/notification-channels/{id}`; scope `webhooks:manage`
        """
        return self._caller.call(routes.NOTIFICATION_CHANNELS_GET, (id,), options=CallOptions(timeout_s, max_retries, headers))

    def update(self, id: str, body: types.NotificationChannelChange, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.NotificationChannel:
        """Rename a channel, or give it another target.
        Its kind stays, and the secret of a `webhook` does.

        `PATCH /api/v1/notification-channels/{id}`; scope `webhooks:manage`
        """
        return self._caller.call(routes.NOTIFICATION_CHANNELS_UPDATE, (id,), body=body, options=CallOptions(timeout_s, max_retries, headers))

    def delete(self, id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.DeletedNotificationChannel:
        """Delete a channel.
        Refused while a rule sends there.

        `DELETE /api/v1/notification-channels/{id}`; scope `webhooks:manage`
        """
        return self._caller.call(routes.NOTIFICATION_CHANNELS_DELETE, (id,), options=CallOptions(timeout_s, max_retries, headers))

    def test(self, id: str, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.NotificationChannelTest:
        """Send a test message to a channel and say what it answered.
        It has one attempt, and is in the log. Once in five seconds.

        `POST /api/v1/notification-channels/{id}/test`; scope `webhooks:manage`
        """
        return self._caller.call(routes.NOTIFICATION_CHANNELS_TEST, (id,), options=CallOptions(timeout_s, max_retries, headers, idempotency_key))


class StreamConnection:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(self, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.StreamConnectionList:
        """Ask whether telemetry is read by Kafka, and if so, from where.
        None is an answer here, and no error. A key of a sub-client sees none: the stream is that of the reseller.

        `GET /api/v1/stream-connections`; scope `*`
        """
        return self._caller.call(routes.STREAM_CONNECTION_LIST, options=CallOptions(timeout_s, max_retries, headers))

    def get(self, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.StreamConnection:
        """Get where telemetry is read from by Kafka, and how that goes.

        `GET /api/v1/stream-connection`; scope `*`
        """
        return self._caller.call(routes.STREAM_CONNECTION_GET, options=CallOptions(timeout_s, max_retries, headers))

    def put(self, body: types.PutStreamConnectionRequest, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.StreamConnection:
        """Set where telemetry is to be read from by Kafka.
        What is left out is set back to its default, except for secrets, which stay. Reading begins anew at once, where it was.

        `PUT /api/v1/stream-connection`; scope `*`
        """
        return self._caller.call(routes.STREAM_CONNECTION_PUT, body=body, options=CallOptions(timeout_s, max_retries, headers))

    def delete(self, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.DeletedStreamConnection:
        """Stop reading, and forget the connection and how far it was read.

        `DELETE /api/v1/stream-connection`; scope `*`
        """
        return self._caller.call(routes.STREAM_CONNECTION_DELETE, options=CallOptions(timeout_s, max_retries, headers))

    def test(self, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.StreamConnectionTest:
        """Try the connection, step by step.
        Enabled or not. Nothing is stored, and nothing is taken from the topic. It takes up to half a minute.

        `POST /api/v1/stream-connection/test`; scope `*`
        """
        return self._caller.call(routes.STREAM_CONNECTION_TEST, options=CallOptions(timeout_s, max_retries, headers, idempotency_key))


class Telemetry:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def send(self, body: types.TelemetryInput, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.TelemetryAccepted:
        """Send one telemetry record.

        `POST /api/v1/telemetry`; scope `telemetry:write`
        """
        return self._caller.call(routes.TELEMETRY_SEND, body=body, options=CallOptions(timeout_s, max_retries, headers, idempotency_key))


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

        `GET /api/v1/usage`; scope `billing:read`

        Args:
            sub_client_id: Only what belongs to this sub-client.
            from_: First day, in the time zone of the reseller. With `granularity=month` a month. The first of this month when left out.
            to: The day, or month, after the last. What comes after the present when left out.
            granularity: Length of a row’s period: at most 31 days by hour, 400 by day, 60 months by month. Preset: `day`.
            format: `csv` and `ndjson` hold every row at once. Also by `Accept: text/csv` or `application/x-ndjson`.
            limit: Most items in the answer. Preset: `100`.
            after: `pagination.endCursor` of the page before.
        """
        return self._caller.call(routes.USAGE_GET, query={"subClientId": sub_client_id, "from": from_, "to": to, "granularity": granularity, "format": format, "limit": limit, "after": after}, options=CallOptions(timeout_s, max_retries, headers))

    def iterate(self, *, sub_client_id: str | None = None, from_: str | None = None, to: str | None = None, granularity: Literal["day", "month", "hour"] | None = None, limit: int | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> Generator[types.UsageRow, None, None]:
        """The items of every page of `get`, fetched as they are read. `limit` is the length of a page."""
        return self._caller.iterate(routes.USAGE_GET, query={"subClientId": sub_client_id, "from": from_, "to": to, "granularity": granularity, "limit": limit}, options=CallOptions(timeout_s, max_retries, headers))

    def list_limits(self, *, sub_client_id: str | None = None, min_used_percent: int | None = None, limit: int | None = None, after: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.UsageLimits:
        """Limits of sub-clients, and what of them is used.
        Of those that have a limit on devices, on readings or on predictions in a month. Limits count by the calendar month in UTC, which need not be the month of an invoice.

        `GET /api/v1/usage/limits`; scope `billing:read`

        Args:
            sub_client_id: Only what belongs to this sub-client.
            min_used_percent: Only those with a limit that is used to so many percent or more.
            limit: Most items in the answer. Preset: `100`.
            after: `pagination.endCursor` of the page before.
        """
        return self._caller.call(routes.USAGE_LIST_LIMITS, query={"subClientId": sub_client_id, "minUsedPercent": min_used_percent, "limit": limit, "after": after}, options=CallOptions(timeout_s, max_retries, headers))

    def iterate_limits(self, *, sub_client_id: str | None = None, min_used_percent: int | None = None, limit: int | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> Generator[types.UsageLimit, None, None]:
        """The items of every page of `list_limits`, fetched as they are read. `limit` is the length of a page."""
        return self._caller.iterate(routes.USAGE_LIST_LIMITS, query={"subClientId": sub_client_id, "minUsedPercent": min_used_percent, "limit": limit}, options=CallOptions(timeout_s, max_retries, headers))

    def get_statement(self, *, month: str | None = None, sub_client_id: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.UsageStatement:
        """The signed statement of a month.
        Of one sub-client, or without `subClientId` of what belongs to none (with a pinned key, of its own). `npx roadworthy verify-statement` checks the file without the service.

        `GET /api/v1/usage/statements`; scope `billing:read`

        Args:
            month: The month before this one when left out.
            sub_client_id: Only what belongs to this sub-client.
        """
        return self._caller.call(routes.USAGE_GET_STATEMENT, query={"month": month, "subClientId": sub_client_id}, options=CallOptions(timeout_s, max_retries, headers))

    def get_statement_key(self, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.StatementKey:
        """The public key that statements are signed with.

        `GET /api/v1/usage/statement-key`; scope `billing:read`
        """
        return self._caller.call(routes.USAGE_GET_STATEMENT_KEY, options=CallOptions(timeout_s, max_retries, headers))


class ApiKeys:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def create(self, body: types.CreateApiKeyRequest, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.CreatedApiKey:
        """Make an API key.
        The secret is in this answer and nowhere else. A key cannot grant more than it has itself.

        `POST /api/v1/api-keys`; scope `*`
        """
        return self._caller.call(routes.API_KEYS_CREATE, body=body, options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    def list(self, *, limit: int | None = None, after: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.ApiKeyList:
        """List API keys, oldest first.

        `GET /api/v1/api-keys`; scope `*`

        Args:
            limit: Most items in the answer. Preset: `100`.
            after: `pagination.endCursor` of the page before.
        """
        return self._caller.call(routes.API_KEYS_LIST, query={"limit": limit, "after": after}, options=CallOptions(timeout_s, max_retries, headers))

    def iterate(self, *, limit: int | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> Generator[types.ApiKey, None, None]:
        """The items of every page of `list`, fetched as they are read. `limit` is the length of a page."""
        return self._caller.iterate(routes.API_KEYS_LIST, query={"limit": limit}, options=CallOptions(timeout_s, max_retries, headers))

    def rotate(self, id: str, body: types.RotateApiKeyRequest | None = None, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.RotatedApiKey:
        """Replace an API key.
        Makes a key with the same name, scopes, sub-client, limits and expiry. The one before ends after `overlapHours`, or when it would have expired; rotated once more until then, it makes another key with the expiry that it had at first. The new secret is in this answer and nowhere else.

        `POST /api/v1/api-keys/{id}/rotate`; scope `*`
        """
        return self._caller.call(routes.API_KEYS_ROTATE, (id,), body=body, options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    def revoke(self, id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.RevokedApiKey:
        """Revoke an API key.
        The key stops working within a second. Repeating it is fine.

        `DELETE /api/v1/api-keys/{id}`; scope `*`
        """
        return self._caller.call(routes.API_KEYS_REVOKE, (id,), options=CallOptions(timeout_s, max_retries, headers))


class Users:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def invite(self, body: types.InviteUserRequest, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.InvitedUser:
        """Invite a person.
        The link in the invitation lets the person set a password, and works for 7 days. Inviting somebody again who has not done so makes a new link and voids the one before. The mail is in `language`, and so is the dashboard of the person until they choose another.

        `POST /api/v1/users`; scope `*`
        """
        return self._caller.call(routes.USERS_INVITE, body=body, options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    def list(self, *, limit: int | None = None, after: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.UserList:
        """List people, oldest first.

        `GET /api/v1/users`; scope `*`

        Args:
            limit: Most items in the answer. Preset: `100`.
            after: `pagination.endCursor` of the page before.
        """
        return self._caller.call(routes.USERS_LIST, query={"limit": limit, "after": after}, options=CallOptions(timeout_s, max_retries, headers))

    def iterate(self, *, limit: int | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> Generator[types.User, None, None]:
        """The items of every page of `list`, fetched as they are read. `limit` is the length of a page."""
        return self._caller.iterate(routes.USERS_LIST, query={"limit": limit}, options=CallOptions(timeout_s, max_retries, headers))

    def get(self, id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.UserAnswer:
        """Get one person.

        `GET /api/v1/users/{id}`; scope `*`
        """
        return self._caller.call(routes.USERS_GET, (id,), options=CallOptions(timeout_s, max_retries, headers))

    def update(self, id: str, body: types.ChangeUserRequest, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.UserAnswer:
        """Change the role of a person, or shut them out.
        Acts on the next request of the person. `deactivated` ends their sessions and links; `active` lets them sign in again. The last owner can neither lose the role nor be shut out.

        `PATCH /api/v1/users/{id}`; scope `*`
        """
        return self._caller.call(routes.USERS_UPDATE, (id,), body=body, options=CallOptions(timeout_s, max_retries, headers))

    def remove(self, id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.RemovedUser:
        """Remove a person.
        Their sessions and links end and their address is free again. The last owner cannot be removed.

        `DELETE /api/v1/users/{id}`; scope `*`
        """
        return self._caller.call(routes.USERS_REMOVE, (id,), options=CallOptions(timeout_s, max_retries, headers))


class SessionPushSubscriptions:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(self, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.PushSubscriptionList:
        """List the browsers in which who is signed in is shown messages.
        None when nobody is signed in. With the key that a browser subscribes with.

        `GET /api/v1/session/push-subscriptions`
        """
        return self._caller.call(routes.SESSION_PUSH_SUBSCRIPTIONS_LIST, options=CallOptions(timeout_s, max_retries, headers))

    def create(self, body: types.CreatePushSubscription, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.PushSubscription:
        """Show messages to who is signed in, in this browser.
        Of rules that name the person, from the next message on. Given again, by whoever, the browser is theirs. A new password, or being deactivated, removes all.
        Not repeated when it is unclear whether it was carried out.

        `POST /api/v1/session/push-subscriptions`
        """
        return self._caller.call(routes.SESSION_PUSH_SUBSCRIPTIONS_CREATE, body=body, options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    def delete(self, id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.DeletedPushSubscription:
        """Show nothing more in a browser.

        `DELETE /api/v1/session/push-subscriptions/{id}`
        """
        return self._caller.call(routes.SESSION_PUSH_SUBSCRIPTIONS_DELETE, (id,), options=CallOptions(timeout_s, max_retries, headers))

    def test(self, id: str, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.PushSubscriptionTest:
        """Show a test message in a browser and say what its push service answered.
        It has one attempt, and is in the log. Once in five seconds.
        Not repeated when it is unclear whether it was carried out.

        `POST /api/v1/session/push-subscriptions/{id}/test`
        """
        return self._caller.call(routes.SESSION_PUSH_SUBSCRIPTIONS_TEST, (id,), options=CallOptions(timeout_s, max_retries, headers, idempotency_key))


class SessionNotificationRules:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(self, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.PersonalNotificationRuleList:
        """List the rules that send messages to who is signed in, oldest first.
        Their own, also those that are switched off, and enabled ones of the account that name them. None when nobody is signed in.

        `GET /api/v1/session/notification-rules`
        """
        return self._caller.call(routes.SESSION_NOTIFICATION_RULES_LIST, options=CallOptions(timeout_s, max_retries, headers))

    def create(self, body: types.CreatePersonalNotificationRule, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.PersonalNotificationRule:
        """Add a rule that sends messages to who is signed in.
        By e-mail and in their browsers, to nobody else. It is about incidents that open or change from now on, of vehicles that the person may see at that time.
        Not repeated when it is unclear whether it was carried out.

        `POST /api/v1/session/notification-rules`
        """
        return self._caller.call(routes.SESSION_NOTIFICATION_RULES_CREATE, body=body, options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    def update(self, id: str, body: types.PersonalNotificationRuleChange, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.PersonalNotificationRule:
        """Change, enable or disable a rule of who is signed in.
        It acts on what follows.

        `PATCH /api/v1/session/notification-rules/{id}`
        """
        return self._caller.call(routes.SESSION_NOTIFICATION_RULES_UPDATE, (id,), body=body, options=CallOptions(timeout_s, max_retries, headers))

    def delete(self, id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.DeletedNotificationRule:
        """Delete a rule of who is signed in.

        `DELETE /api/v1/session/notification-rules/{id}`
        """
        return self._caller.call(routes.SESSION_NOTIFICATION_RULES_DELETE, (id,), options=CallOptions(timeout_s, max_retries, headers))


class Session:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self.push_subscriptions = SessionPushSubscriptions(caller)
        self.notification_rules = SessionNotificationRules(caller)

    def sign_in(self, body: types.SignInRequest, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.SessionAnswer:
        """Sign in with e-mail address and password.
        Sets the cookie `rw_session` (over https `__Host-rw_session`), which lets in on this surface as a key does: 12 hours after its last use, at most 7 days. A second cookie, `rw_browser`, is no credential: by it the browser is known at the next sign-in, and has limits of its own.
        Not repeated when it is unclear whether it was carried out.

        `POST /api/v1/session`
        """
        return self._caller.call(routes.SESSION_SIGN_IN, body=body, options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    def get(self, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.SessionAnswer:
        """Who is signed in.

        `GET /api/v1/session`
        """
        return self._caller.call(routes.SESSION_GET, options=CallOptions(timeout_s, max_retries, headers))

    def sign_out(self, *, everywhere: bool | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.SessionAnswer:
        """Sign out.
        The session is dead at once; with `everywhere` all sessions of the person are. Repeating it is fine.

        `DELETE /api/v1/session`

        Args:
            everywhere: End every session of the person, not only this one. Preset: `false`.
        """
        return self._caller.call(routes.SESSION_SIGN_OUT, query={"everywhere": everywhere}, options=CallOptions(timeout_s, max_retries, headers))

    def change_password(self, body: types.ChangePasswordRequest, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.SessionAnswer:
        """Change the password of who is signed in.
        Every other session of the person ends; this one goes on, under a new cookie. Who looks as a sub-client stops that first.

        `PUT /api/v1/session/password`
        """
        return self._caller.call(routes.SESSION_CHANGE_PASSWORD, body=body, options=CallOptions(timeout_s, max_retries, headers))

    def set_password(self, body: types.SetPasswordRequest, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.SessionAnswer:
        """Accept an invitation, or set a new password, by the link.
        The link works once. Whoever uses it is signed in; sessions from before end.
        Not repeated when it is unclear whether it was carried out.

        `POST /api/v1/session/password`
        """
        return self._caller.call(routes.SESSION_SET_PASSWORD, body=body, options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    def request_password_reset(self, body: types.PasswordResetRequest, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.PasswordResetAnswer:
        """Ask for a link to set a new password.
        The link works for an hour, or until the password is changed, and goes to the address. Where no mail server is set, whoever runs the service makes one (`npx roadworthy users reset-password`). The answer is the same, after the same time, whether there is such an account or not.
        Not repeated when it is unclear whether it was carried out.

        `POST /api/v1/session/password-reset`
        """
        return self._caller.call(routes.SESSION_REQUEST_PASSWORD_RESET, body=body, options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    def start_view_as(self, body: types.ViewAsRequest, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.SessionAnswer:
        """Look as a sub-client.
        For people of the reseller. From the next request on the session is that of a viewer of the sub-client: everything else is not there, and nothing can be changed. `DELETE` ends it.

        `PUT /api/v1/session/view-as`
        """
        return self._caller.call(routes.SESSION_START_VIEW_AS, body=body, options=CallOptions(timeout_s, max_retries, headers))

    def stop_view_as(self, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.SessionAnswer:
        """Look as oneself again.
        Repeating it is fine.

        `DELETE /api/v1/session/view-as`
        """
        return self._caller.call(routes.SESSION_STOP_VIEW_AS, options=CallOptions(timeout_s, max_retries, headers))

    def put_preferences(self, body: types.PreferencesRequest, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.SessionAnswer:
        """Choose the language and units of who is signed in.
        The dashboard is shown in them in every browser, and mails and push messages to the person are written in them. What is left out stays.

        `PUT /api/v1/session/preferences`
        """
        return self._caller.call(routes.SESSION_PUT_PREFERENCES, body=body, options=CallOptions(timeout_s, max_retries, headers))


class Audit:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(self, *, actor: str | None = None, action: str | None = None, object_id: str | None = None, from_: str | None = None, to: str | None = None, limit: int | None = None, after: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.AuditList:
        """List changes, newest first.
        Every change through any surface and the command line, with who made it: not telemetry, and not what is predicted. A key that belongs to one sub-client sees none of it. A cursor of what is no longer kept is refused.

        `GET /api/v1/audit`; scope `*`

        Args:
            actor: Only what this key, user or other actor did, by its id.
            action: Only this action, such as `device.decommissioned`.
            object_id: Only what was done to this object.
            from_: Start of the range, included; RFC 3339 with an offset.
            to: End of the range, not included; RFC 3339 with an offset.
            limit: Most items in the answer. Preset: `100`.
            after: `pagination.endCursor` of the page before.
        """
        return self._caller.call(routes.AUDIT_LIST, query={"actor": actor, "action": action, "objectId": object_id, "from": from_, "to": to, "limit": limit, "after": after}, options=CallOptions(timeout_s, max_retries, headers))

    def iterate(self, *, actor: str | None = None, action: str | None = None, object_id: str | None = None, from_: str | None = None, to: str | None = None, limit: int | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> Generator[types.AuditEntry, None, None]:
        """The items of every page of `list`, fetched as they are read. `limit` is the length of a page."""
        return self._caller.iterate(routes.AUDIT_LIST, query={"actor": actor, "action": action, "objectId": object_id, "from": from_, "to": to, "limit": limit}, options=CallOptions(timeout_s, max_retries, headers))


class RequestLog:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(self, *, key_id: str | None = None, status: Literal["2xx", "3xx", "4xx", "5xx", "refused"] | None = None, method: Literal["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"] | None = None, path: str | None = None, request_id: str | None = None, from_: str | None = None, to: str | None = None, limit: int | None = None, after: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.RequestLogPage:
        """List the last calls of API keys, newest first.
        On every surface, about a second after they were answered, refusals with their reason. For looking into what went wrong, not for counting: of a key that calls all the time successful calls are sampled, and a crash of the database empties the log. Without bodies and credentials. A key that belongs to one sub-client sees the calls of keys of that sub-client.

        `GET /api/v1/request-log`; scope `*`

        Args:
            key_id: Only calls with this key.
            status: Only answers of this kind; `refused` is 4xx and 5xx.
            path: Only paths that begin so, such as `/api/external/telemetry`.
            request_id: Only the call with this `X-Request-Id`.
            from_: Start of the range, included; RFC 3339 with an offset.
            to: End of the range, not included; RFC 3339 with an offset.
            limit: Most items in the answer. Preset: `100`.
            after: `pagination.endCursor` of the page before.
        """
        return self._caller.call(routes.REQUEST_LOG_LIST, query={"keyId": key_id, "status": status, "method": method, "path": path, "requestId": request_id, "from": from_, "to": to, "limit": limit, "after": after}, options=CallOptions(timeout_s, max_retries, headers))

    def iterate(self, *, key_id: str | None = None, status: Literal["2xx", "3xx", "4xx", "5xx", "refused"] | None = None, method: Literal["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"] | None = None, path: str | None = None, request_id: str | None = None, from_: str | None = None, to: str | None = None, limit: int | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> Generator[types.LoggedRequest, None, None]:
        """The items of every page of `list`, fetched as they are read. `limit` is the length of a page."""
        return self._caller.iterate(routes.REQUEST_LOG_LIST, query={"keyId": key_id, "status": status, "method": method, "path": path, "requestId": request_id, "from": from_, "to": to, "limit": limit}, options=CallOptions(timeout_s, max_retries, headers))


class Plan:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def get(self, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.PlanOverview:
        """Get the plan of the account, what of it is used, and how long what is kept.
        Of the whole account: a key of one sub-client is refused.

        `GET /api/v1/plan`; scope `billing:read`
        """
        return self._caller.call(routes.PLAN_GET, options=CallOptions(timeout_s, max_retries, headers))


class DemoFleet:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def get(self, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.DemoFleet:
        """Whether a demo fleet drives.
        Vehicles that drive, wear and raise alerts, for trying the service without a device.

        `GET /api/v1/demo-fleet`; scope `*`
        """
        return self._caller.call(routes.DEMO_FLEET_GET, options=CallOptions(timeout_s, max_retries, headers))

    def put(self, body: types.ChangeDemoFleetRequest, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.DemoFleet:
        """Start or stop the demo fleet.
        Its devices and vehicles are registered like any other, count as the reseller’s own, and stay when it is stopped. It stops with the service, and is not started with it again. Where there is none to start or stop, 409 `conflict`.

        `PUT /api/v1/demo-fleet`; scope `*`
        """
        return self._caller.call(routes.DEMO_FLEET_PUT, body=body, options=CallOptions(timeout_s, max_retries, headers))


class Settings:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def get_maintenance(self, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.MaintenanceSettings:
        """How far ahead of the end of a life work is advised.

        `GET /api/v1/settings/maintenance`; scope `vehicles:read`
        """
        return self._caller.call(routes.SETTINGS_GET_MAINTENANCE, options=CallOptions(timeout_s, max_retries, headers))

    def put_maintenance(self, body: types.MaintenanceSettings, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.MaintenanceSettings:
        """Set how far ahead of the end of a life work is advised.
        For the whole fleet of the reseller, so that a key of one sub-client cannot. Acts on the next answer.

        `PUT /api/v1/settings/maintenance`; scope `*`
        """
        return self._caller.call(routes.SETTINGS_PUT_MAINTENANCE, body=body, options=CallOptions(timeout_s, max_retries, headers))

    def get_readings_retention(self, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.ReadingsRetention:
        """For how long readings are kept.
        Of the whole account: a key of one sub-client is refused.

        `GET /api/v1/settings/readings-retention`; scope `vehicles:read`
        """
        return self._caller.call(routes.SETTINGS_GET_READINGS_RETENTION, options=CallOptions(timeout_s, max_retries, headers))

    def put_readings_retention(self, body: types.ReadingsRetentionChange, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.ReadingsRetention:
        """Set for how long readings are kept.
        Of the reseller and of its sub-clients, for ever included; takes the place of all that was set before. What is older is removed, in the database within minutes and in files within hours once the last reading of a file is; it cannot be had back. A key of one sub-client is refused.

        `PUT /api/v1/settings/readings-retention`; scope `*`
        """
        return self._caller.call(routes.SETTINGS_PUT_READINGS_RETENTION, body=body, options=CallOptions(timeout_s, max_retries, headers))


class Brand:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def get(self, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.ShownBrand:
        """What the dashboard shows at this host name.
        The brand of who is signed in; else of the host name that the request is for, where it is proved; else the service’s own.

        `GET /api/v1/brand`
        """
        return self._caller.call(routes.BRAND_GET, options=CallOptions(timeout_s, max_retries, headers))

    def get_manifest(self, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.AppManifest:
        """What a browser needs to install the dashboard.
        A web application manifest with the name and the colour of the brand that `/brand` shows.

        `GET /api/v1/brand/manifest.webmanifest`
        """
        return self._caller.call(routes.BRAND_GET_MANIFEST, options=CallOptions(timeout_s, max_retries, headers))

    def get_icon(self, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> str:
        """The icon of the installed dashboard.

        `GET /api/v1/brand/icon.svg`
        """
        return self._caller.call(routes.BRAND_GET_ICON, options=CallOptions(timeout_s, max_retries, headers))

    def get_logo(self, sha256: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> bytes:
        """The image of a logo.

        `GET /api/v1/brand/logos/{sha256}`
        """
        return self._caller.call(routes.BRAND_GET_LOGO, (sha256,), options=CallOptions(timeout_s, max_retries, headers))


class Brands:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def get_of_reseller(self, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.BrandAnswer:
        """Get the brand of the reseller.

        `GET /api/v1/brands/reseller`; scope `*`
        """
        return self._caller.call(routes.BRANDS_GET_OF_RESELLER, options=CallOptions(timeout_s, max_retries, headers))

    def put_of_reseller(self, body: types.ChangeBrandRequest, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.BrandAnswer:
        """Set the brand of the reseller.
        What is left out is unset: a sub-client inherits it. The logo is set by itself.

        `PUT /api/v1/brands/reseller`; scope `*`
        """
        return self._caller.call(routes.BRANDS_PUT_OF_RESELLER, body=body, options=CallOptions(timeout_s, max_retries, headers))

    def put_logo_of_reseller(self, body: bytes, *, content_type: Literal["image/png", "image/jpeg", "image/webp"], timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.BrandAnswer:
        """Set the logo of the reseller.
        PNG, JPEG or WebP of at most 256 KiB. SVG is not taken: it can carry scripts.

        `PUT /api/v1/brands/reseller/logo`; scope `*`
        """
        return self._caller.call(routes.BRANDS_PUT_LOGO_OF_RESELLER, body=body, content_type=content_type, options=CallOptions(timeout_s, max_retries, headers))

    def remove_logo_of_reseller(self, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.BrandAnswer:
        """Remove the logo of the reseller.

        `DELETE /api/v1/brands/reseller/logo`; scope `*`
        """
        return self._caller.call(routes.BRANDS_REMOVE_LOGO_OF_RESELLER, options=CallOptions(timeout_s, max_retries, headers))

    def get_of_sub_client(self, sub_client_id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.BrandAnswer:
        """Get the brand of a sub-client.

        `GET /api/v1/brands/sub-clients/{subClientId}`; scope `*`
        """
        return self._caller.call(routes.BRANDS_GET_OF_SUB_CLIENT, (sub_client_id,), options=CallOptions(timeout_s, max_retries, headers))

    def put_of_sub_client(self, sub_client_id: str, body: types.ChangeBrandRequest, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.BrandAnswer:
        """Set the brand of a sub-client.
        What is left out is unset: a sub-client inherits it. The logo is set by itself.

        `PUT /api/v1/brands/sub-clients/{subClientId}`; scope `*`
        """
        return self._caller.call(routes.BRANDS_PUT_OF_SUB_CLIENT, (sub_client_id,), body=body, options=CallOptions(timeout_s, max_retries, headers))

    def put_logo_of_sub_client(self, sub_client_id: str, body: bytes, *, content_type: Literal["image/png", "image/jpeg", "image/webp"], timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.BrandAnswer:
        """Set the logo of a sub-client.
        PNG, JPEG or WebP of at most 256 KiB. SVG is not taken: it can carry scripts.

        `PUT /api/v1/brands/sub-clients/{subClientId}/logo`; scope `*`
        """
        return self._caller.call(routes.BRANDS_PUT_LOGO_OF_SUB_CLIENT, (sub_client_id,), body=body, content_type=content_type, options=CallOptions(timeout_s, max_retries, headers))

    def remove_logo_of_sub_client(self, sub_client_id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.BrandAnswer:
        """Remove the logo of a sub-client.

        `DELETE /api/v1/brands/sub-clients/{subClientId}/logo`; scope `*`
        """
        return self._caller.call(routes.BRANDS_REMOVE_LOGO_OF_SUB_CLIENT, (sub_client_id,), options=CallOptions(timeout_s, max_retries, headers))


class PlatformApi:
    """The Platform API: what the dashboard does."""
    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self.sub_clients = SubClients(caller)
        self.devices = Devices(caller)
        self.vehicles = Vehicles(caller)
        self.vehicle_groups = VehicleGroups(caller)
        self.fleet = Fleet(caller)
        self.overview = Overview(caller)
        self.map = Map(caller)
        self.predictions = Predictions(caller)
        self.models = Models(caller)
        self.incidents = Incidents(caller)
        self.alerts = Alerts(caller)
        self.maintenance = Maintenance(caller)
        self.calendars = Calendars(caller)
        self.events = Events(caller)
        self.stream = Stream(caller)
        self.webhooks = Webhooks(caller)
        self.notification_rules = NotificationRules(caller)
        self.notifications = Notifications(caller)
        self.notification_channels = NotificationChannels(caller)
        self.stream_connection = StreamConnection(caller)
        self.telemetry = Telemetry(caller)
        self.usage = Usage(caller)
        self.api_keys = ApiKeys(caller)
        self.users = Users(caller)
        self.session = Session(caller)
        self.audit = Audit(caller)
        self.request_log = RequestLog(caller)
        self.plan = Plan(caller)
        self.demo_fleet = DemoFleet(caller)
        self.settings = Settings(caller)
        self.brand = Brand(caller)
        self.brands = Brands(caller)
