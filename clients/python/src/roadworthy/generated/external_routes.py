# Written by `npm run openapi` from docs/openapi/external.json and the table of methods. Changes belong there.
from __future__ import annotations

from typing import TYPE_CHECKING

from .._route import Batch, Route

if TYPE_CHECKING:
    from . import external_types as types

HEALTH_GET: Route[types.ExternalHealth] = Route("GET", "/api/external/health")
SUB_CLIENTS_CREATE: Route[types.SubClientAnswer] = Route("POST", "/api/external/sub-clients", takes_key=True)
SUB_CLIENTS_LIST: Route[types.SubClientList] = Route("GET", "/api/external/sub-clients", items="sub_clients")
SUB_CLIENTS_GET: Route[types.SubClientAnswer] = Route("GET", "/api/external/sub-clients/{sub_client_id}")
SUB_CLIENTS_UPDATE: Route[types.SubClientAnswer] = Route("PUT", "/api/external/sub-clients/{sub_client_id}")
SUB_CLIENTS_DEACTIVATE: Route[types.SubClientDeactivated] = Route("DELETE", "/api/external/sub-clients/{sub_client_id}")
DEVICES_REGISTER: Route[types.DeviceRegistered] = Route("POST", "/api/external/devices", takes_key=True)
DEVICES_LIST: Route[types.DeviceList] = Route("GET", "/api/external/devices", items="devices")
DEVICES_GET: Route[types.DeviceAnswer] = Route("GET", "/api/external/devices/{device_id}")
DEVICES_UPDATE: Route[types.DeviceAnswer] = Route("PUT", "/api/external/devices/{device_id}")
DEVICES_DECOMMISSION: Route[types.DeviceDecommissioned] = Route("POST", "/api/external/devices/{device_id}/decommission", takes_key=True)
DEVICES_ROTATE_CREDENTIALS: Route[types.CredentialsRotated] = Route("POST", "/api/external/devices/{device_id}/credentials/rotate", takes_key=True)
DEVICES_LIST_LOCATIONS: Route[types.LocationList] = Route("GET", "/api/external/devices/locations", items="locations")
DEVICES_GET_LOCATION: Route[types.LocationAnswer] = Route("GET", "/api/external/devices/{device_id}/location")
VEHICLES_UPSERT: Route[types.VehicleUpserted] = Route("POST", "/api/external/vehicles", takes_key=True)
VEHICLES_LIST: Route[types.VehicleList] = Route("GET", "/api/external/vehicles", items="vehicles")
VEHICLES_GET: Route[types.VehicleAnswer] = Route("GET", "/api/external/vehicles/{vehicle_id}")
VEHICLES_UPDATE: Route[types.VehicleAnswer] = Route("PUT", "/api/external/vehicles/{vehicle_id}")
VEHICLES_RETIRE: Route[types.VehicleAnswer] = Route("DELETE", "/api/external/vehicles/{vehicle_id}")
TELEMETRY_SEND: Route[types.TelemetryAccepted] = Route("POST", "/api/external/telemetry", takes_key=True)
TELEMETRY_SEND_BATCH: Route[types.BatchAccepted] = Route("POST", "/api/external/telemetry/batch", batch=Batch("records", 100, 1048576), takes_key=True)
TELEMETRY_GET: Route[types.StoredReading] = Route("GET", "/api/external/telemetry/{id}")
TRACK_SEND: Route[types.TrackAccepted] = Route("POST", "/api/external/track", takes_key=True)
TRACK_SEND_BATCH: Route[types.BatchAccepted] = Route("POST", "/api/external/track/batch", batch=Batch("points", 100, 1048576), takes_key=True)
PREDICT: Route[types.PredictAnswer] = Route("POST", "/api/external/predict", takes_key=True)
PREDICTIONS_LIST: Route[types.PredictionList] = Route("GET", "/api/external/predictions", items="predictions")
USAGE_GET: Route[types.UsageReport | str] = Route("GET", "/api/external/usage", items="rows", answers=("json", "text",))
