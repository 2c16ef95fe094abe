# Written by `npm run openapi` from docs/openapi/external.json. Changes belong there.
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias, TypedDict


class _AdviceRequired(TypedDict):
    act: Literal["stop", "now", "plan", "next_service", "run_on"]
    """`stop` driving, go to a workshop `now`, `plan` the work, have it done at the `next_service`, `run_on`."""
    what: str
    """What to do."""
    why: str
    """What it rests on."""
    risk: str
    """What waiting risks."""


class Advice(_AdviceRequired, total=False):
    by: str
    """By which day (UTC): the early end of the interval, counted from the reading that was judged, less the lead time of the reseller, and never before that reading. Today for `stop` and `now`, none for `run_on`."""
    byOdometerKm: int
    """The odometer by then, where odometer and daily use are known; the present one for `stop` and `now`."""
    interval: list[float]
    """The `[p10, p90]` in days that it rests on, where it rests on one."""


class BatchAccepted(TypedDict):
    """What became of each record, in the order of the request. Sent after those that are stored are committed."""
    success: Literal[True]
    records_processed: int
    """Stored or known already."""
    records_rejected: int
    duplicates: int
    processing_time_ms: float
    results: list[BatchItemResult]


class _BatchItemResultRequired(TypedDict):
    index: int
    status: Literal["stored", "duplicate", "rejected"]


class BatchItemResult(_BatchItemResultRequired, total=False):
    id: str
    warnings: list[FieldWarning]
    """Fields that were stored and are not used. Left out when there are none. An answer names 100 at most, 20 of a record."""
    error: ItemProblem


class CredentialsRotate(TypedDict, total=False):
    grace_seconds: int
    """How long the password before stays good. Preset: `0`."""


class CredentialsRotated(TypedDict):
    """The new credentials; this is the one time the password is shown."""
    success: Literal[True]
    device_id: str
    mqtt_broker: str
    """`<host>:<port>`. The embedded broker speaks MQTT 3.1.1 and 3.1, not MQTT 5."""
    mqtt_username: str
    """`<reseller_slug>/<device_id>`"""
    mqtt_password: str
    """Shown in this answer only."""
    mqtt_password_hash: str
    """PBKDF2-SHA512 verifier of the password, as Mosquitto reads it: `$7$<iterations>$<salt>$<key>`."""
    mqtt_topic: str
    """`<prefix>/<reseller_slug>/devices/<device_id>/telemetry`"""
    previous_valid_until: str | None
    """Until when the password before is good; null: no longer."""


class Device(TypedDict):
    id: str
    device_id: str
    """The same as `id`."""
    name: str | None
    imei: str | None
    device_type: str
    connection_method: str
    sim_number: str | None
    status: Literal["pending", "active", "suspended", "decommissioned"]
    online: bool
    """Whether it is connected to the MQTT broker, or was heard within the last minutes (a setting, 5 by default). False while it is suspended."""
    last_seen_at: str | None
    """When its newest message was received."""
    sub_client_id: str | None
    vehicle_id: str | None
    mqtt_username: str
    mqtt_topic: str
    created_at: str
    """When it was registered."""
    updated_at: str
    """When it was last changed."""


class DeviceAnswer(TypedDict):
    """The device as it is now."""
    success: Literal[True]
    device: Device


class DeviceDecommissioned(TypedDict):
    """The device is decommissioned and its credentials no longer work."""
    success: Literal[True]
    device_id: str
    status: Literal["decommissioned"]
    decommissioned_at: str
    """When it was first decommissioned."""


class DeviceList(TypedDict):
    """A page of devices."""
    total: int
    """How many there are on all pages, with the filters of this request."""
    devices: list[Device]
    pagination: Pagination


class DeviceRegister(TypedDict, total=False):
    """A name or an IMEI is needed. The same body for the same IMEI within 24 hours gets the first answer again."""
    name: str | None
    """Display name."""
    imei: str | None
    """14 to 16 digits; unique among living devices."""
    device_type: Literal["obd_dongle", "gps_tracker", "can_gateway", "dashcam", "mobile_app", "asset_tracker", "other"]
    """Preset: `other`."""
    connection_method: Literal["mqtt", "http", "stream", "osmand", "traccar", "tcp"]
    """Preset: `mqtt`."""
    sim_number: str | None
    """SIM number."""
    sub_client_id: str | None
    """Sub-client that receives the device."""
    status: Literal["active", "pending"]
    """`pending` provisions the device beforehand: it becomes active with its first message. Preset: `active`."""
    vehicle: InlineVehicle | None


class _DeviceRegisteredRequired(TypedDict):
    success: Literal[True]
    device_id: str
    status: Literal["active", "pending"]
    mqtt_broker: str
    """`<host>:<port>`. The embedded broker speaks MQTT 3.1.1 and 3.1, not MQTT 5."""
    mqtt_username: str
    """`<reseller_slug>/<device_id>`"""
    mqtt_password: str
    """Shown in this answer only."""
    mqtt_password_hash: str
    """PBKDF2-SHA512 verifier of the password, as Mosquitto reads it: `$7$<iterations>$<salt>$<key>`."""
    mqtt_topic: str
    """`<prefix>/<reseller_slug>/devices/<device_id>/telemetry`"""
    vehicle_id: str | None
    """The vehicle created or linked."""
    sub_client_id: str | None


class DeviceRegistered(_DeviceRegisteredRequired, total=False):
    """The device is registered; this is the one time its password is shown."""
    tracker_token: str
    """With the connection method `osmand` or `http`: what the device sends with over HTTP (`/api/external/ingest/…`). Shown in this answer only."""


class DeviceUpdate(TypedDict, total=False):
    """What is left out stays."""
    name: str | None
    """Null removes it."""
    sub_client_id: str | None
    """Reassigns the device; null unassigns it."""
    device_type: Literal["obd_dongle", "gps_tracker", "can_gateway", "dashcam", "mobile_app", "asset_tracker", "other"]
    connection_method: Literal["mqtt", "http", "stream", "osmand", "traccar", "tcp"]
    sim_number: str | None
    """Null removes it."""
    vehicle_id: str | None
    """Links the vehicle; null unlinks."""
    status: Literal["pending", "active", "suspended"]


class _EngineFiguresRequired(TypedDict):
    healthScore: float
    maintenanceNeeded: bool
    maintenanceProbability: float
    """That some component needs work within 30 days. Where something was found it rests on an assumption: how long parts last that show it. Neither that nor the life of parts was counted on any fleet."""
    remainingUsefulLife: dict[str, float]
    """Component to days, median."""
    anomalyScore: float
    """How unlike the normal the readings are."""
    anomalyDetected: bool


class EngineFigures(_EngineFiguresRequired, total=False):
    """As the ML engine gave it."""
    advice: dict[str, Advice]
    """Only of components that need advice; the others run on."""


class ExternalHealth(TypedDict):
    """The API answers."""
    status: Literal["healthy"]
    """The API answers."""
    version: str
    """Of the service."""
    scopes: list[str]
    """Scopes that a key can have."""


ExtraFields: TypeAlias = "Mapping[str, object]"
"""Protocol-specific fields. Unknown keys of the record end up here too."""


class FieldWarning(TypedDict):
    field: str
    """The key as it was sent; `*` stands for those that are not named."""
    reason: str
    """`implausible`, or `unknown, kept in extra` with the closest known name."""


class InlineVehicle(TypedDict, total=False):
    mode: Literal["create", "link", "none"]
    """`create`: the known vehicle with this VIN, else with this plate within the sub-client, else a new one. `link`: a known one, by `vehicle_id` or `vin`. `none`: no vehicle. Preset: `create`."""
    vehicle_id: str | None
    """With `link`: the vehicle."""
    make: str | None
    """Manufacturer."""
    model: str | None
    """Model."""
    year: int | None
    """Model year."""
    vin: str | None
    """Vehicle identification number; kept in upper case and unique within the reseller."""
    license_plate: str | None
    """Registration plate."""
    name: str | None
    """Name for people."""
    vehicle_class: Literal["passenger", "van", "light_truck", "medium_truck", "heavy_truck", "bus", "motorcycle", "off_highway", "trailer", "other"] | None
    """Kind of vehicle; light, medium and heavy are GVWR classes 1 and 2, 3 to 6, 7 and 8. Lives and use that predictions assume follow it."""
    fuel_type: Literal["petrol", "diesel", "cng", "lng", "lpg", "hybrid", "plug_in_hybrid", "electric", "hydrogen", "other"] | None
    """What it runs on. An electric vehicle has no predictions of an engine."""
    drivetrain: Literal["fwd", "rwd", "awd", "4x2", "4x4", "6x2", "6x4", "6x6", "8x4", "8x8", "other"] | None
    """Which wheels are driven, as drive or axle configuration."""
    battery_nominal_v: Literal[12, 24, 48] | None
    """Nominal voltage of the starter battery, in volts."""


class _ItemProblemRequired(TypedDict):
    code: str
    message: str


class ItemProblem(_ItemProblemRequired, total=False):
    details: dict[str, Any]


class Location(TypedDict):
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
    """Degrees clockwise from north."""
    altitude: float | None
    """Metres."""
    satellites: int | None
    ignition: bool | None
    battery_voltage: float | None
    """V"""
    event: str | None
    timestamp: str
    """When the device was there."""
    received_at: str
    """When the position was received."""
    age_seconds: int
    """Seconds since `timestamp`."""
    online: bool
    """As of the device."""


class LocationAnswer(TypedDict):
    """The newest location of the device."""
    success: Literal[True]
    location: Location


class LocationList(TypedDict):
    """A page of locations. A device that never reported a position is not in it."""
    total: int
    """How many there are on all pages, with the filters of this request."""
    locations: list[Location]
    pagination: Pagination


class MaintenanceAlert(TypedDict):
    type: str
    component: str
    severity: Literal["info", "low", "medium", "high", "critical"]
    description: str
    """A few words: what is wrong."""
    message: str
    """One sentence that names the reading and the threshold."""
    urgency: str
    """`monitor`, `routine`, `soon`, `urgent` or `immediate`."""
    code: str | None
    """The fault code, for an alert that comes from one."""
    evidence: dict[str, Any]
    """What drove it: `signal` (a sensor key), `value`, `threshold`, `unit` …"""


class Pagination(TypedDict):
    endCursor: str | None
    """Give it as `after` to get the next page."""
    hasNextPage: bool


class PredictAnswer(TypedDict):
    """What these readings mean for the vehicle."""
    vehicleId: str
    vehicle_id: str
    """The same, for clients that read snake_case."""
    health_score: float
    health_status: Literal["healthy", "warning", "critical"]
    risk_level: Literal["none", "low", "medium", "high"]
    """By `maintenanceProbability`. Where something was found it rests on an assumption: how long parts last that show it. Neither that nor the life of parts was counted on any fleet."""
    components: dict[str, float]
    maintenance_alerts: list[MaintenanceAlert]
    """Worst first. They are not stored."""
    recommendations: list[str]
    insights: list[str]
    confidence: float
    """How much there was to judge by."""
    missing_fields: list[str]
    """Sensor keys, and fields of the vehicle's record, that would raise confidence."""
    ignored_fields: list[str]
    """Fields that were out of range or could not be used."""
    predictions: EngineFigures
    processed_at: str
    """When this was predicted."""


class _PredictRequestRequired(TypedDict):
    vehicle_id: str
    """Our id, or the caller's own reference, known or not."""
    sensor_data: PredictSensorData


class PredictRequest(_PredictRequestRequired, total=False):
    timestamp: str
    """When the sensors were read. Now when left out."""


class PredictSensorData(TypedDict, total=False):
    """The keys and units of `/telemetry`; the aliases of the ML engine are taken too. Unknown keys are not looked at."""
    rpm: float | None
    """Engine speed, RPM."""
    coolant_temp: float | None
    """Coolant temperature, °C."""
    battery_voltage: float | None
    """Battery voltage, V."""
    fuel_level: float | None
    """Fuel level, %."""
    speed: float | None
    """Vehicle speed, km/h."""
    engineOilTemp: float | None
    """Engine oil temperature, °C."""
    engineFuelTemp: float | None
    """Fuel temperature, °C."""
    odometer: float | None
    """Odometer, km."""
    runTime: float | None
    """Run time since engine start, s."""
    current_gear: float | None
    """Current gear, gear."""
    fuel_consumption: float | None
    """Fuel consumption, L/100km."""
    ambient_temp: float | None
    """Ambient air temperature, °C."""
    oil_pressure: float | None
    """Engine oil pressure, PSI."""
    throttle: float | None
    """Throttle position, %."""
    intake_air_temp: float | None
    """Intake air temperature, °C."""
    mil_lamp: Literal["LAMP_ON", "LAMP_OFF"]
    """Malfunction indicator lamp"""
    red_stop_lamp: Literal["LAMP_ON", "LAMP_OFF"]
    """Red stop lamp"""
    amber_warning_lamp: Literal["LAMP_ON", "LAMP_OFF"]
    """Amber warning lamp"""
    protect_lamp: Literal["LAMP_ON", "LAMP_OFF"]
    """Protect lamp"""
    dtc_codes: Sequence[str]
    """Active fault codes."""


class Prediction(TypedDict):
    prediction_id: str
    vehicle_id: str
    sub_client_id: str | None
    """Owner of the vehicle."""
    component: str
    """The part it is about."""
    issue: str
    """A few words: what is expected to need work."""
    rul_days: int
    """Remaining useful life in days, median."""
    interval: list[float]
    """`[p10, p90]` in days."""
    confidence: float
    """How much there was to judge by."""
    severity: Literal["info", "low", "medium", "high", "critical"]
    health_score: float | None
    """Of the vehicle."""
    created_at: str
    """When this component was first predicted."""
    updated_at: str
    """When the prediction last changed."""


class PredictionList(TypedDict):
    """A page of predictions."""
    total: int
    """How many there are on all pages, with the filters of this request."""
    predictions: list[Prediction]
    pagination: Pagination


class ReadingPosition(TypedDict):
    lat: float
    lng: float


class SensorData(TypedDict, total=False):
    """The sensor keys, gathered in one object."""
    rpm: float
    """Engine speed, RPM. Outside 0 to 10000 it is stored, marked implausible and never used for scoring."""
    coolant_temp: float
    """Coolant temperature, °C. Outside -40 to 150 it is stored, marked implausible and never used for scoring."""
    battery_voltage: float
    """Battery voltage, V. Outside 0 to 30 it is stored, marked implausible and never used for scoring."""
    fuel_level: float
    """Fuel level, %. Outside 0 to 100 it is stored, marked implausible and never used for scoring."""
    speed: float
    """Vehicle speed, km/h. Outside 0 to 300 it is stored, marked implausible and never used for scoring."""
    engineOilTemp: float
    """Engine oil temperature, °C. Outside -40 to 210 it is stored, marked implausible and never used for scoring."""
    engineFuelTemp: float
    """Fuel temperature, °C. Outside -40 to 150 it is stored, marked implausible and never used for scoring."""
    odometer: float
    """Odometer, km. Outside 0 to 10000000 it is stored, marked implausible and never used for scoring."""
    runTime: float
    """Run time since engine start, s. Outside 0 to 720000000 it is stored, marked implausible and never used for scoring."""
    current_gear: float
    """Current gear, gear. Outside -125 to 125 it is stored, marked implausible and never used for scoring."""
    fuel_consumption: float
    """Fuel consumption, L/100km. Outside 0 to 500 it is stored, marked implausible and never used for scoring."""
    ambient_temp: float
    """Ambient air temperature, °C. Outside -60 to 70 it is stored, marked implausible and never used for scoring."""
    oil_pressure: float
    """Engine oil pressure, PSI. Outside 0 to 145.038 it is stored, marked implausible and never used for scoring."""
    throttle: float
    """Throttle position, %. Outside 0 to 100 it is stored, marked implausible and never used for scoring."""
    intake_air_temp: float
    """Intake air temperature, °C. Outside -40 to 150 it is stored, marked implausible and never used for scoring."""
    mil_lamp: Literal["LAMP_ON", "LAMP_OFF"]
    """Malfunction indicator lamp"""
    red_stop_lamp: Literal["LAMP_ON", "LAMP_OFF"]
    """Red stop lamp"""
    amber_warning_lamp: Literal["LAMP_ON", "LAMP_OFF"]
    """Amber warning lamp"""
    protect_lamp: Literal["LAMP_ON", "LAMP_OFF"]
    """Protect lamp"""
    dtc_codes: Sequence[str]
    """Active fault codes: SAE J2012 (`P0217`) or J1939 (`SPN110-FMI0`)."""


class _StoredReadingRequired(TypedDict):
    id: str
    kind: Literal["telemetry", "track"]
    device_id: str | None
    """Device that sent it."""
    vehicle_id: str | None
    """Vehicle it is about."""
    sub_client_id: str | None
    """Sub-client at the time of receipt."""
    timestamp: str
    received_at: str
    latitude: float | None
    longitude: float | None
    sensor_data: dict[str, Any]
    """Sensor keys and units of the External API."""
    implausible: list[str]
    """Fields that were stored but are outside their documented range."""


class StoredReading(_StoredReadingRequired, total=False):
    """The record as it is stored."""
    heading: float
    altitude: float
    satellites: float
    device_battery: float
    device_battery_voltage: float
    ignition: bool
    event: str
    extra: dict[str, Any]


class SubClient(TypedDict):
    sub_client_id: str
    """URL-safe id; never changes."""
    name: str
    contact_email: str | None
    contact_phone: str | None
    metadata: dict[str, Any]
    status: Literal["active", "suspended", "deactivated"]
    """`suspended` and `deactivated`: reads work, writes and readings are refused (`sub_client_suspended`)."""
    device_count: int
    """Devices of the sub-client that are not decommissioned."""
    vehicle_count: int
    limits: SubClientLimits
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


class SubClientAnswer(TypedDict):
    """The sub-client as it is now."""
    success: Literal[True]
    sub_client: SubClient


class _SubClientCreateRequired(TypedDict):
    name: str
    """Display name."""


class SubClientCreate(_SubClientCreateRequired, total=False):
    sub_client_id: str | None
    """Made from the name when left out."""
    contact_email: str | None
    """Contact e-mail."""
    contact_phone: str | None
    """Contact phone."""
    metadata: Mapping[str, object] | None
    """Free-form, at most 16 KiB of JSON."""


class SubClientDeactivated(TypedDict):
    """The sub-client as it is now, and what became of its devices."""
    success: Literal[True]
    sub_client: SubClient
    devices_unassigned: int
    """How many devices this call took from the sub-client; they stay registered."""


class SubClientLimits(TypedDict):
    """Beyond them: 403 `quota_exceeded`."""
    devices: int | None
    """Devices that are not decommissioned. Null: no limit."""
    readings_per_month: int | None
    """Readings stored in a calendar month (UTC). Null: no limit."""
    predictions_per_month: int | None
    """Predictions asked for in a calendar month (UTC). Null: no limit."""


class SubClientLimitsChange(TypedDict, total=False):
    """What is left out stays; null removes a limit. Not with a key that is pinned to the sub-client."""
    devices: int | None
    """Devices that are not decommissioned. Null: no limit."""
    readings_per_month: int | None
    """Readings stored in a calendar month (UTC). Null: no limit."""
    predictions_per_month: int | None
    """Predictions asked for in a calendar month (UTC). Null: no limit."""


class SubClientList(TypedDict):
    """A page of sub-clients."""
    total: int
    """How many there are on all pages, with the filters of this request."""
    sub_clients: list[SubClient]
    pagination: Pagination


class SubClientUpdate(TypedDict, total=False):
    """What is left out stays."""
    name: str
    """Display name."""
    status: Literal["active", "suspended", "deactivated"]
    """`suspended` and `deactivated`: reads work, writes and readings are refused (`sub_client_suspended`)."""
    contact_email: str | None
    """Null removes it."""
    contact_phone: str | None
    """Null removes it."""
    metadata: Mapping[str, object] | None
    """Replaces the whole object; null empties it."""
    limits: SubClientLimitsChange


class _TelemetryAcceptedRequired(TypedDict):
    telemetry_id: str
    """Reads the record back: GET /telemetry/{id}."""
    success: Literal[True]
    device_id: str | None
    """The device it was stored for."""
    vehicle_id: str | None
    """The vehicle it was stored for; of a duplicate the one that the device is linked to now."""
    sub_client_id: str | None
    """The sub-client it was stored for; of a duplicate that of the device now."""
    received_at: str
    duplicate: bool
    """The same reading was stored before; it is stored and metered once."""


class TelemetryAccepted(_TelemetryAcceptedRequired, total=False):
    """The record is stored. Sent after it is committed."""
    warnings: list[FieldWarning]
    """Fields that were stored and are not used. Left out when there are none. An answer names 100 at most, 20 of a record."""


TelemetryBatch: TypeAlias = "TelemetryRecords | Sequence[TelemetryRecord]"


class TelemetryRecord(TypedDict, total=False):
    device_id: str
    """Registered device id, or IMEI. Either this or `vehicle_id` is required."""
    vehicle_id: str
    """Our vehicle id, or your own name for the vehicle; one we do not know is created (by a device itself, only where the reseller allows it)."""
    sub_client_id: str
    """Taken from the device when left out."""
    timestamp: str
    """RFC 3339 with an offset; from 30 days ago to 5 minutes ahead. The time of receipt when left out."""
    latitude: float
    """Degrees north, WGS 84. Also `lat`."""
    longitude: float
    """Degrees east, WGS 84. Also `lon` or `lng`."""
    lat: float
    lon: float
    location: ReadingPosition
    heading: float
    """Degrees clockwise from north, 0 to 360."""
    altitude: float
    """Metres above sea level."""
    satellites: int
    device_battery: float
    """Charge of the phone or tracker itself, in %. Never that of the vehicle."""
    device_battery_voltage: float
    """Voltage of its battery, in V."""
    ignition: bool
    event: str
    """periodic, sos, tamper, overspeed, geofence_enter, geofence_exit, ignition_on, ignition_off, harsh_acceleration, harsh_braking, harsh_cornering, power_cut, low_battery, tow, crash, jamming, or a word of your own."""
    rpm: float
    """Engine speed, RPM. Outside 0 to 10000 it is stored, marked implausible and never used for scoring."""
    coolant_temp: float
    """Coolant temperature, °C. Outside -40 to 150 it is stored, marked implausible and never used for scoring."""
    battery_voltage: float
    """Battery voltage, V. Outside 0 to 30 it is stored, marked implausible and never used for scoring."""
    fuel_level: float
    """Fuel level, %. Outside 0 to 100 it is stored, marked implausible and never used for scoring."""
    speed: float
    """Vehicle speed, km/h. Outside 0 to 300 it is stored, marked implausible and never used for scoring."""
    engineOilTemp: float
    """Engine oil temperature, °C. Outside -40 to 210 it is stored, marked implausible and never used for scoring."""
    engineFuelTemp: float
    """Fuel temperature, °C. Outside -40 to 150 it is stored, marked implausible and never used for scoring."""
    odometer: float
    """Odometer, km. Outside 0 to 10000000 it is stored, marked implausible and never used for scoring."""
    runTime: float
    """Run time since engine start, s. Outside 0 to 720000000 it is stored, marked implausible and never used for scoring."""
    current_gear: float
    """Current gear, gear. Outside -125 to 125 it is stored, marked implausible and never used for scoring."""
    fuel_consumption: float
    """Fuel consumption, L/100km. Outside 0 to 500 it is stored, marked implausible and never used for scoring."""
    ambient_temp: float
    """Ambient air temperature, °C. Outside -60 to 70 it is stored, marked implausible and never used for scoring."""
    oil_pressure: float
    """Engine oil pressure, PSI. Outside 0 to 145.038 it is stored, marked implausible and never used for scoring."""
    throttle: float
    """Throttle position, %. Outside 0 to 100 it is stored, marked implausible and never used for scoring."""
    intake_air_temp: float
    """Intake air temperature, °C. Outside -40 to 150 it is stored, marked implausible and never used for scoring."""
    mil_lamp: Literal["LAMP_ON", "LAMP_OFF"]
    """Malfunction indicator lamp"""
    red_stop_lamp: Literal["LAMP_ON", "LAMP_OFF"]
    """Red stop lamp"""
    amber_warning_lamp: Literal["LAMP_ON", "LAMP_OFF"]
    """Amber warning lamp"""
    protect_lamp: Literal["LAMP_ON", "LAMP_OFF"]
    """Protect lamp"""
    dtc_codes: Sequence[str]
    """Active fault codes: SAE J2012 (`P0217`) or J1939 (`SPN110-FMI0`)."""
    sensor_data: SensorData
    extra: ExtraFields


class TelemetryRecords(TypedDict):
    records: Sequence[TelemetryRecord]


class _TrackAcceptedRequired(TypedDict):
    track_id: str
    """Reads the point back: GET /telemetry/{id}."""
    success: Literal[True]
    device_id: str | None
    """The device it was stored for."""
    vehicle_id: str | None
    """The vehicle it was stored for; of a duplicate the one that the device is linked to now."""
    sub_client_id: str | None
    """The sub-client it was stored for; of a duplicate that of the device now."""
    received_at: str
    duplicate: bool
    """The same reading was stored before; it is stored and metered once."""


class TrackAccepted(_TrackAcceptedRequired, total=False):
    """The point is stored. Sent after it is committed."""
    warnings: list[FieldWarning]
    """Fields that were stored and are not used. Left out when there are none. An answer names 100 at most, 20 of a record."""


TrackBatch: TypeAlias = "Sequence[TrackPoint] | TrackPoints"


class _TrackPointRequired(TypedDict):
    device_id: str
    """Registered device id, or IMEI."""


class TrackPoint(_TrackPointRequired, total=False):
    vehicle_id: str
    sub_client_id: str
    """Taken from the device when left out."""
    timestamp: str
    """RFC 3339 with an offset; from 30 days ago to 5 minutes ahead. The time of receipt when left out."""
    latitude: float
    """Degrees north, WGS 84. Also `lat`."""
    longitude: float
    """Degrees east, WGS 84. Also `lon` or `lng`."""
    lat: float
    lon: float
    location: ReadingPosition
    heading: float
    """Degrees clockwise from north, 0 to 360."""
    altitude: float
    """Metres above sea level."""
    satellites: int
    device_battery: float
    """Charge of the phone or tracker itself, in %. Never that of the vehicle."""
    device_battery_voltage: float
    """Voltage of its battery, in V."""
    ignition: bool
    event: str
    """periodic, sos, tamper, overspeed, geofence_enter, geofence_exit, ignition_on, ignition_off, harsh_acceleration, harsh_braking, harsh_cornering, power_cut, low_battery, tow, crash, jamming, or a word of your own."""
    rpm: float
    """Engine speed, RPM. Outside 0 to 10000 it is stored, marked implausible and never used for scoring."""
    coolant_temp: float
    """Coolant temperature, °C. Outside -40 to 150 it is stored, marked implausible and never used for scoring."""
    battery_voltage: float
    """Battery voltage, V. Outside 0 to 30 it is stored, marked implausible and never used for scoring."""
    fuel_level: float
    """Fuel level, %. Outside 0 to 100 it is stored, marked implausible and never used for scoring."""
    speed: float
    """Vehicle speed, km/h. Outside 0 to 300 it is stored, marked implausible and never used for scoring."""
    engineOilTemp: float
    """Engine oil temperature, °C. Outside -40 to 210 it is stored, marked implausible and never used for scoring."""
    engineFuelTemp: float
    """Fuel temperature, °C. Outside -40 to 150 it is stored, marked implausible and never used for scoring."""
    odometer: float
    """Odometer, km. Outside 0 to 10000000 it is stored, marked implausible and never used for scoring."""
    runTime: float
    """Run time since engine start, s. Outside 0 to 720000000 it is stored, marked implausible and never used for scoring."""
    current_gear: float
    """Current gear, gear. Outside -125 to 125 it is stored, marked implausible and never used for scoring."""
    fuel_consumption: float
    """Fuel consumption, L/100km. Outside 0 to 500 it is stored, marked implausible and never used for scoring."""
    ambient_temp: float
    """Ambient air temperature, °C. Outside -60 to 70 it is stored, marked implausible and never used for scoring."""
    oil_pressure: float
    """Engine oil pressure, PSI. Outside 0 to 145.038 it is stored, marked implausible and never used for scoring."""
    throttle: float
    """Throttle position, %. Outside 0 to 100 it is stored, marked implausible and never used for scoring."""
    intake_air_temp: float
    """Intake air temperature, °C. Outside -40 to 150 it is stored, marked implausible and never used for scoring."""
    mil_lamp: Literal["LAMP_ON", "LAMP_OFF"]
    """Malfunction indicator lamp"""
    red_stop_lamp: Literal["LAMP_ON", "LAMP_OFF"]
    """Red stop lamp"""
    amber_warning_lamp: Literal["LAMP_ON", "LAMP_OFF"]
    """Amber warning lamp"""
    protect_lamp: Literal["LAMP_ON", "LAMP_OFF"]
    """Protect lamp"""
    dtc_codes: Sequence[str]
    """Active fault codes: SAE J2012 (`P0217`) or J1939 (`SPN110-FMI0`)."""
    sensor_data: SensorData
    extra: ExtraFields


class TrackPoints(TypedDict):
    points: Sequence[TrackPoint]


class UsageProjection(TypedDict):
    """What this month comes to if it goes on as it has until now. Active devices are not projected."""
    period: str
    """The month it is."""
    used: UsageTotals
    totals: UsageTotals
    elapsed_percent: float
    """How much of the month is over."""


_UsageReportNamed = TypedDict("_UsageReportNamed", {"total": "int", "granularity": "str", "from": "str", "to": "str", "totals": "UsageTotals", "pagination": "Pagination", "time_zone": "str", "rows": "list[UsageRow]", "projected": "UsageProjection"})


class UsageReport(_UsageReportNamed):
    """What was used, by period, sub-client and meter. Calls of the last second may be missing."""


class UsageRow(TypedDict):
    period: str
    """`2026-01`, `2026-01-31` or `2026-01-31T13:00+05:30`."""
    meter: Literal["points_ingested", "api_calls", "predictions", "active_devices"]
    count: int
    """Never 0: what was not used has no row."""
    sub_client_id: str | None
    """Null: what belongs to no sub-client."""


class UsageTotals(TypedDict):
    points_ingested: int
    """Readings that were stored; one that was known already counts nothing."""
    api_calls: int
    """Requests of keys that were let in, to both APIs."""
    predictions: int
    """Predictions that were asked for."""
    active_devices: int
    """Devices of which a reading was stored, once in each period."""


class Vehicle(TypedDict):
    vehicle_id: str
    external_ref: str | None
    """The caller's own name for the vehicle; telemetry may use it as `vehicle_id`."""
    make: str | None
    model: str | None
    year: int | None
    vin: str | None
    license_plate: str | None
    name: str | None
    """Its name; of a vehicle without name and plate, its device's."""
    vehicle_class: str | None
    fuel_type: str | None
    drivetrain: str | None
    battery_nominal_v: int | None
    status: Literal["active", "retired"]
    retired_at: str | None
    """When it was retired."""
    sub_client_id: str | None
    """Owner."""
    device_id: str | None
    """The device linked to it last that is not decommissioned."""
    health_score: float | None
    """Null until the vehicle is first scored."""
    registered: bool
    """False for a vehicle that was made by a reading which named it."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


class VehicleAnswer(TypedDict):
    """The vehicle."""
    success: Literal[True]
    vehicle: Vehicle


class VehicleList(TypedDict):
    """A page of vehicles."""
    total: int
    """How many there are on all pages, with the filters of this request."""
    vehicles: list[Vehicle]
    pagination: Pagination


class VehicleUpdate(TypedDict, total=False):
    """What is left out stays; null clears."""
    make: str | None
    """Manufacturer."""
    model: str | None
    """Model."""
    year: int | None
    """Model year."""
    vin: str | None
    """Vehicle identification number; kept in upper case and unique within the reseller."""
    license_plate: str | None
    """Registration plate."""
    name: str | None
    """Name for people."""
    vehicle_class: Literal["passenger", "van", "light_truck", "medium_truck", "heavy_truck", "bus", "motorcycle", "off_highway", "trailer", "other"] | None
    """Kind of vehicle; light, medium and heavy are GVWR classes 1 and 2, 3 to 6, 7 and 8. Lives and use that predictions assume follow it."""
    fuel_type: Literal["petrol", "diesel", "cng", "lng", "lpg", "hybrid", "plug_in_hybrid", "electric", "hydrogen", "other"] | None
    """What it runs on. An electric vehicle has no predictions of an engine."""
    drivetrain: Literal["fwd", "rwd", "awd", "4x2", "4x4", "6x2", "6x4", "6x6", "8x4", "8x8", "other"] | None
    """Which wheels are driven, as drive or axle configuration."""
    battery_nominal_v: Literal[12, 24, 48] | None
    """Nominal voltage of the starter battery, in volts."""
    external_ref: str | None
    """The caller's own name for the vehicle, unique within the reseller; without the blanks around it."""
    sub_client_id: str | None
    """Moves the vehicle; null takes it out of its sub-client."""
    status: Literal["active", "retired"]
    """`active` restores a vehicle that was retired."""


class VehicleUpsert(TypedDict, total=False):
    """Found by `vin`, else by `external_ref`, else by `license_plate` within the sub-client; else new. What is left out or null stays as it is."""
    make: str | None
    """Manufacturer."""
    model: str | None
    """Model."""
    year: int | None
    """Model year."""
    vin: str | None
    """Vehicle identification number; kept in upper case and unique within the reseller."""
    license_plate: str | None
    """Registration plate."""
    name: str | None
    """Name for people."""
    vehicle_class: Literal["passenger", "van", "light_truck", "medium_truck", "heavy_truck", "bus", "motorcycle", "off_highway", "trailer", "other"] | None
    """Kind of vehicle; light, medium and heavy are GVWR classes 1 and 2, 3 to 6, 7 and 8. Lives and use that predictions assume follow it."""
    fuel_type: Literal["petrol", "diesel", "cng", "lng", "lpg", "hybrid", "plug_in_hybrid", "electric", "hydrogen", "other"] | None
    """What it runs on. An electric vehicle has no predictions of an engine."""
    drivetrain: Literal["fwd", "rwd", "awd", "4x2", "4x4", "6x2", "6x4", "6x6", "8x4", "8x8", "other"] | None
    """Which wheels are driven, as drive or axle configuration."""
    battery_nominal_v: Literal[12, 24, 48] | None
    """Nominal voltage of the starter battery, in volts."""
    external_ref: str | None
    """The caller's own name for the vehicle, unique within the reseller; without the blanks around it."""
    sub_client_id: str | None
    """A sub-client of this reseller."""
    device_id: str | None
    """Device id or IMEI to link to the vehicle."""


class VehicleUpserted(TypedDict):
    """The vehicle as it is now, and whether it is new."""
    success: Literal[True]
    vehicle_id: str
    created: bool
    """False when the vehicle was known and has been updated."""
    vehicle: Vehicle
