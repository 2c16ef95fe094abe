// Written by `npm run openapi` from docs/openapi/external.json and the table of methods. Changes belong there.

import type { RequestOptions, WriteOptions } from '../request-options.ts'

export type Advice = {
  /** `stop` driving, go to a workshop `now`, `plan` the work, have it done at the `next_service`, `run_on`. */
  act: 'stop' | 'now' | 'plan' | 'next_service' | 'run_on'
  /** By which day (UTC): the early end of the interval, counted from the reading that was judged, less the lead time of the reseller, and never before that reading. Today for `stop` and `now`, none for `run_on`. */
  by?: string | undefined
  /** The odometer by then, where odometer and daily use are known; the present one for `stop` and `now`. */
  byOdometerKm?: number | undefined
  /** The `[p10, p90]` in days that it rests on, where it rests on one. */
  interval?: [number, number] | undefined
  /** What to do. */
  what: string
  /** What it rests on. */
  why: string
  /** What waiting risks. */
  risk: string
}

/** What became of each record, in the order of the request. Sent after those that are stored are committed. */
export type BatchAccepted = {
  success: true
  /** Stored or known already. */
  records_processed: number
  records_rejected: number
  duplicates: number
  processing_time_ms: number
  results: BatchItemResult[]
}

export type BatchItemResult = {
  index: number
  status: 'stored' | 'duplicate' | 'rejected'
  id?: string | undefined
  /** Fields that were stored and are not used. Left out when there are none. An answer names 100 at most, 20 of a record. */
  warnings?: FieldWarning[] | undefined
  error?: ItemProblem | undefined
}

export type CredentialsRotate = {
  /** How long the password before stays good. Preset: `0`. */
  grace_seconds?: number | undefined
}

/** The new credentials; this is the one time the password is shown. */
export type CredentialsRotated = {
  success: true
  device_id: string
  /** `<host>:<port>`. The embedded broker speaks MQTT 3.1.1 and 3.1, not MQTT 5. */
  mqtt_broker: string
  /** `<reseller_slug>/<device_id>` */
  mqtt_username: string
  /** Shown in this answer only. */
  mqtt_password: string
  /** PBKDF2-SHA512 verifier of the password, as Mosquitto reads it: `$7$<iterations>$<salt>$<key>`. */
  mqtt_password_hash: string
  /** `<prefix>/<reseller_slug>/devices/<device_id>/telemetry` */
  mqtt_topic: string
  /** Until when the password before is good; null: no longer. */
  previous_valid_until: string | null
}

export type Device = {
  id: string
  /** The same as `id`. */
  device_id: string
  name: string | null
  imei: string | null
  device_type: string
  connection_method: string
  sim_number: string | null
  status: 'pending' | 'active' | 'suspended' | 'decommissioned'
  /** Whether it is connected to the MQTT broker, or was heard within the last minutes (a setting, 5 by default). False while it is suspended. */
  online: boolean
  /** When its newest message was received. */
  last_seen_at: string | null
  sub_client_id: string | null
  vehicle_id: string | null
  mqtt_username: string
  mqtt_topic: string
  /** When it was registered. */
  created_at: string
  /** When it was last changed. */
  updated_at: string
}

/** The device as it is now. */
export type DeviceAnswer = {
  success: true
  device: Device
}

/** The device is decommissioned and its credentials no longer work. */
export type DeviceDecommissioned = {
  success: true
  device_id: string
  status: 'decommissioned'
  /** When it was first decommissioned. */
  decommissioned_at: string
}

/** A page of devices. */
export type DeviceList = {
  /** How many there are on all pages, with the filters of this request. */
  total: number
  devices: Device[]
  pagination: Pagination
}

/** A name or an IMEI is needed. The same body for the same IMEI within 24 hours gets the first answer again. */
export type DeviceRegister = {
  /** Display name. */
  name?: string | null | undefined
  /** 14 to 16 digits; unique among living devices. */
  imei?: string | null | undefined
  /** Preset: `other`. */
  device_type?: 'obd_dongle' | 'gps_tracker' | 'can_gateway' | 'dashcam' | 'mobile_app' | 'asset_tracker' | 'other' | undefined
  /** Preset: `mqtt`. */
  connection_method?: 'mqtt' | 'http' | 'stream' | 'osmand' | 'traccar' | 'tcp' | undefined
  /** SIM number. */
  sim_number?: string | null | undefined
  /** Sub-client that receives the device. */
  sub_client_id?: string | null | undefined
  /** `pending` provisions the device beforehand: it becomes active with its first message. Preset: `active`. */
  status?: 'active' | 'pending' | undefined
  vehicle?: InlineVehicle | null | undefined
}

/** The device is registered; this is the one time its password is shown. */
export type DeviceRegistered = {
  success: true
  device_id: string
  status: 'active' | 'pending'
  /** `<host>:<port>`. The embedded broker speaks MQTT 3.1.1 and 3.1, not MQTT 5. */
  mqtt_broker: string
  /** `<reseller_slug>/<device_id>` */
  mqtt_username: string
  /** Shown in this answer only. */
  mqtt_password: string
  /** PBKDF2-SHA512 verifier of the password, as Mosquitto reads it: `$7$<iterations>$<salt>$<key>`. */
  mqtt_password_hash: string
  /** `<prefix>/<reseller_slug>/devices/<device_id>/telemetry` */
  mqtt_topic: string
  /** With the connection method `osmand` or `http`: what the device sends with over HTTP (`/api/external/ingest/…`). Shown in this answer only. */
  tracker_token?: string | undefined
  /** The vehicle created or linked. */
  vehicle_id: string | null
  sub_client_id: string | null
}

/** What is left out stays. */
export type DeviceUpdate = {
  /** Null removes it. */
  name?: string | null | undefined
  /** Reassigns the device; null unassigns it. */
  sub_client_id?: string | null | undefined
  device_type?: 'obd_dongle' | 'gps_tracker' | 'can_gateway' | 'dashcam' | 'mobile_app' | 'asset_tracker' | 'other' | undefined
  connection_method?: 'mqtt' | 'http' | 'stream' | 'osmand' | 'traccar' | 'tcp' | undefined
  /** Null removes it. */
  sim_number?: string | null | undefined
  /** Links the vehicle; null unlinks. */
  vehicle_id?: string | null | undefined
  status?: 'pending' | 'active' | 'suspended' | undefined
}

/** As the ML engine gave it. */
export type EngineFigures = {
  healthScore: number
  maintenanceNeeded: boolean
  /** That some component needs work within 30 days. Where something was found it rests on an assumption: how long parts last that show it. Neither that nor the life of parts was counted on any fleet. */
  maintenanceProbability: number
  /** Component to days, median. */
  remainingUsefulLife: Record<string, number>
  /** How unlike the normal the readings are. */
  anomalyScore: number
  anomalyDetected: boolean
  /** Only of components that need advice; the others run on. */
  advice?: Record<string, Advice> | undefined
  [key: string]: unknown
}

/** The API answers. */
export type ExternalHealth = {
  /** The API answers. */
  status: 'healthy'
  /** Of the service. */
  version: string
  /** Scopes that a key can have. */
  scopes: string[]
}

/** Protocol-specific fields. Unknown keys of the record end up here too. */
export type ExtraFields = Record<string, unknown>

export type FieldWarning = {
  /** The key as it was sent; `*` stands for those that are not named. */
  field: string
  /** `implausible`, or `unknown, kept in extra` with the closest known name. */
  reason: string
}

export type InlineVehicle = {
  /** `create`: the known vehicle with this VIN, else with this plate within the sub-client, else a new one. `link`: a known one, by `vehicle_id` or `vin`. `none`: no vehicle. Preset: `create`. */
  mode?: 'create' | 'link' | 'none' | undefined
  /** With `link`: the vehicle. */
  vehicle_id?: string | null | undefined
  /** Manufacturer. */
  make?: string | null | undefined
  /** Model. */
  model?: string | null | undefined
  /** Model year. */
  year?: number | null | undefined
  /** Vehicle identification number; kept in upper case and unique within the reseller. */
  vin?: string | null | undefined
  /** Registration plate. */
  license_plate?: string | null | undefined
  /** Name for people. */
  name?: string | null | undefined
  /** Kind of vehicle; light, medium and heavy are GVWR classes 1 and 2, 3 to 6, 7 and 8. Lives and use that predictions assume follow it. */
  vehicle_class?: 'passenger' | 'van' | 'light_truck' | 'medium_truck' | 'heavy_truck' | 'bus' | 'motorcycle' | 'off_highway' | 'trailer' | 'other' | null | undefined
  /** What it runs on. An electric vehicle has no predictions of an engine. */
  fuel_type?: 'petrol' | 'diesel' | 'cng' | 'lng' | 'lpg' | 'hybrid' | 'plug_in_hybrid' | 'electric' | 'hydrogen' | 'other' | null | undefined
  /** Which wheels are driven, as drive or axle configuration. */
  drivetrain?: 'fwd' | 'rwd' | 'awd' | '4x2' | '4x4' | '6x2' | '6x4' | '6x6' | '8x4' | '8x8' | 'other' | null | undefined
  /** Nominal voltage of the starter battery, in volts. */
  battery_nominal_v?: 12 | 24 | 48 | null | undefined
}

export type ItemProblem = {
  code: string
  message: string
  details?: Record<string, unknown> | undefined
}

export type Location = {
  device_id: string
  imei: string | null
  name: string | null
  sub_client_id: string | null
  vehicle_id: string | null
  latitude: number
  longitude: number
  /** km/h */
  speed: number | null
  /** Degrees clockwise from north. */
  heading: number | null
  /** Metres. */
  altitude: number | null
  satellites: number | null
  ignition: boolean | null
  /** V */
  battery_voltage: number | null
  event: string | null
  /** When the device was there. */
  timestamp: string
  /** When the position was received. */
  received_at: string
  /** Seconds since `timestamp`. */
  age_seconds: number
  /** As of the device. */
  online: boolean
}

/** The newest location of the device. */
export type LocationAnswer = {
  success: true
  location: Location
}

/** A page of locations. A device that never reported a position is not in it. */
export type LocationList = {
  /** How many there are on all pages, with the filters of this request. */
  total: number
  locations: Location[]
  pagination: Pagination
}

export type MaintenanceAlert = {
  type: string
  component: string
  severity: 'info' | 'low' | 'medium' | 'high' | 'critical'
  /** A few words: what is wrong. */
  description: string
  /** One sentence that names the reading and the threshold. */
  message: string
  /** `monitor`, `routine`, `soon`, `urgent` or `immediate`. */
  urgency: string
  /** The fault code, for an alert that comes from one. */
  code: string | null
  /** What drove it: `signal` (a sensor key), `value`, `threshold`, `unit` … */
  evidence: Record<string, unknown>
}

export type Pagination = {
  /** Give it as `after` to get the next page. */
  endCursor: string | null
  hasNextPage: boolean
}

/** What these readings mean for the vehicle. */
export type PredictAnswer = {
  vehicleId: string
  /** The same, for clients that read snake_case. */
  vehicle_id: string
  health_score: number
  health_status: 'healthy' | 'warning' | 'critical'
  /** By `maintenanceProbability`. Where something was found it rests on an assumption: how long parts last that show it. Neither that nor the life of parts was counted on any fleet. */
  risk_level: 'none' | 'low' | 'medium' | 'high'
  components: Record<string, number>
  /** Worst first. They are not stored. */
  maintenance_alerts: MaintenanceAlert[]
  recommendations: string[]
  insights: string[]
  /** How much there was to judge by. */
  confidence: number
  /** Sensor keys, and fields of the vehicle's record, that would raise confidence. */
  missing_fields: string[]
  /** Fields that were out of range or could not be used. */
  ignored_fields: string[]
  predictions: EngineFigures
  /** When this was predicted. */
  processed_at: string
}

export type PredictRequest = {
  /** Our id, or the caller's own reference, known or not. */
  vehicle_id: string
  sensor_data: PredictSensorData
  /** When the sensors were read. Now when left out. */
  timestamp?: string | undefined
}

/** The keys and units of `/telemetry`; the aliases of the ML engine are taken too. Unknown keys are not looked at. */
export type PredictSensorData = {
  /** Engine speed, RPM. */
  rpm?: number | null | undefined
  /** Coolant temperature, °C. */
  coolant_temp?: number | null | undefined
  /** Battery voltage, V. */
  battery_voltage?: number | null | undefined
  /** Fuel level, %. */
  fuel_level?: number | null | undefined
  /** Vehicle speed, km/h. */
  speed?: number | null | undefined
  /** Engine oil temperature, °C. */
  engineOilTemp?: number | null | undefined
  /** Fuel temperature, °C. */
  engineFuelTemp?: number | null | undefined
  /** Odometer, km. */
  odometer?: number | null | undefined
  /** Run time since engine start, s. */
  runTime?: number | null | undefined
  /** Current gear, gear. */
  current_gear?: number | null | undefined
  /** Fuel consumption, L/100km. */
  fuel_consumption?: number | null | undefined
  /** Ambient air temperature, °C. */
  ambient_temp?: number | null | undefined
  /** Engine oil pressure, PSI. */
  oil_pressure?: number | null | undefined
  /** Throttle position, %. */
  throttle?: number | null | undefined
  /** Intake air temperature, °C. */
  intake_air_temp?: number | null | undefined
  /** Malfunction indicator lamp */
  mil_lamp?: 'LAMP_ON' | 'LAMP_OFF' | undefined
  /** Red stop lamp */
  red_stop_lamp?: 'LAMP_ON' | 'LAMP_OFF' | undefined
  /** Amber warning lamp */
  amber_warning_lamp?: 'LAMP_ON' | 'LAMP_OFF' | undefined
  /** Protect lamp */
  protect_lamp?: 'LAMP_ON' | 'LAMP_OFF' | undefined
  /** Active fault codes. */
  dtc_codes?: readonly string[] | undefined
  [key: string]: unknown
}

export type Prediction = {
  prediction_id: string
  vehicle_id: string
  /** Owner of the vehicle. */
  sub_client_id: string | null
  /** The part it is about. */
  component: string
  /** A few words: what is expected to need work. */
  issue: string
  /** Remaining useful life in days, median. */
  rul_days: number
  /** `[p10, p90]` in days. */
  interval: [number, number]
  /** How much there was to judge by. */
  confidence: number
  severity: 'info' | 'low' | 'medium' | 'high' | 'critical'
  /** Of the vehicle. */
  health_score: number | null
  /** When this component was first predicted. */
  created_at: string
  /** When the prediction last changed. */
  updated_at: string
}

/** A page of predictions. */
export type PredictionList = {
  /** How many there are on all pages, with the filters of this request. */
  total: number
  predictions: Prediction[]
  pagination: Pagination
}

export type ReadingPosition = {
  lat: number
  lng: number
  [key: string]: unknown
}

/** The sensor keys, gathered in one object. */
export type SensorData = {
  /** Engine speed, RPM. Outside 0 to 10000 it is stored, marked implausible and never used for scoring. */
  rpm?: number | undefined
  /** Coolant temperature, °C. Outside -40 to 150 it is stored, marked implausible and never used for scoring. */
  coolant_temp?: number | undefined
  /** Battery voltage, V. Outside 0 to 30 it is stored, marked implausible and never used for scoring. */
  battery_voltage?: number | undefined
  /** Fuel level, %. Outside 0 to 100 it is stored, marked implausible and never used for scoring. */
  fuel_level?: number | undefined
  /** Vehicle speed, km/h. Outside 0 to 300 it is stored, marked implausible and never used for scoring. */
  speed?: number | undefined
  /** Engine oil temperature, °C. Outside -40 to 210 it is stored, marked implausible and never used for scoring. */
  engineOilTemp?: number | undefined
  /** Fuel temperature, °C. Outside -40 to 150 it is stored, marked implausible and never used for scoring. */
  engineFuelTemp?: number | undefined
  /** Odometer, km. Outside 0 to 10000000 it is stored, marked implausible and never used for scoring. */
  odometer?: number | undefined
  /** Run time since engine start, s. Outside 0 to 720000000 it is stored, marked implausible and never used for scoring. */
  runTime?: number | undefined
  /** Current gear, gear. Outside -125 to 125 it is stored, marked implausible and never used for scoring. */
  current_gear?: number | undefined
  /** Fuel consumption, L/100km. Outside 0 to 500 it is stored, marked implausible and never used for scoring. */
  fuel_consumption?: number | undefined
  /** Ambient air temperature, °C. Outside -60 to 70 it is stored, marked implausible and never used for scoring. */
  ambient_temp?: number | undefined
  /** Engine oil pressure, PSI. Outside 0 to 145.038 it is stored, marked implausible and never used for scoring. */
  oil_pressure?: number | undefined
  /** Throttle position, %. Outside 0 to 100 it is stored, marked implausible and never used for scoring. */
  throttle?: number | undefined
  /** Intake air temperature, °C. Outside -40 to 150 it is stored, marked implausible and never used for scoring. */
  intake_air_temp?: number | undefined
  /** Malfunction indicator lamp */
  mil_lamp?: 'LAMP_ON' | 'LAMP_OFF' | undefined
  /** Red stop lamp */
  red_stop_lamp?: 'LAMP_ON' | 'LAMP_OFF' | undefined
  /** Amber warning lamp */
  amber_warning_lamp?: 'LAMP_ON' | 'LAMP_OFF' | undefined
  /** Protect lamp */
  protect_lamp?: 'LAMP_ON' | 'LAMP_OFF' | undefined
  /** Active fault codes: SAE J2012 (`P0217`) or J1939 (`SPN110-FMI0`). */
  dtc_codes?: readonly string[] | undefined
  [key: string]: unknown
}

/** The record as it is stored. */
export type StoredReading = {
  id: string
  kind: 'telemetry' | 'track'
  /** Device that sent it. */
  device_id: string | null
  /** Vehicle it is about. */
  vehicle_id: string | null
  /** Sub-client at the time of receipt. */
  sub_client_id: string | null
  timestamp: string
  received_at: string
  latitude: number | null
  longitude: number | null
  /** Sensor keys and units of the External API. */
  sensor_data: Record<string, unknown>
  heading?: number | undefined
  altitude?: number | undefined
  satellites?: number | undefined
  device_battery?: number | undefined
  device_battery_voltage?: number | undefined
  ignition?: boolean | undefined
  event?: string | undefined
  extra?: Record<string, unknown> | undefined
  /** Fields that were stored but are outside their documented range. */
  implausible: string[]
}

export type SubClient = {
  /** URL-safe id; never changes. */
  sub_client_id: string
  name: string
  contact_email: string | null
  contact_phone: string | null
  metadata: Record<string, unknown>
  /** `suspended` and `deactivated`: reads work, writes and readings are refused (`sub_client_suspended`). */
  status: 'active' | 'suspended' | 'deactivated'
  /** Devices of the sub-client that are not decommissioned. */
  device_count: number
  vehicle_count: number
  limits: SubClientLimits
  /** When it was created. */
  created_at: string
  /** When it was last changed. */
  updated_at: string
}

/** The sub-client as it is now. */
export type SubClientAnswer = {
  success: true
  sub_client: SubClient
}

export type SubClientCreate = {
  /** Display name. */
  name: string
  /** Made from the name when left out. */
  sub_client_id?: string | null | undefined
  /** Contact e-mail. */
  contact_email?: string | null | undefined
  /** Contact phone. */
  contact_phone?: string | null | undefined
  /** Free-form, at most 16 KiB of JSON. */
  metadata?: Record<string, unknown> | null | undefined
}

/** The sub-client as it is now, and what became of its devices. */
export type SubClientDeactivated = {
  success: true
  sub_client: SubClient
  /** How many devices this call took from the sub-client; they stay registered. */
  devices_unassigned: number
}

/** Beyond them: 403 `quota_exceeded`. */
export type SubClientLimits = {
  /** Devices that are not decommissioned. Null: no limit. */
  devices: number | null
  /** Readings stored in a calendar month (UTC). Null: no limit. */
  readings_per_month: number | null
  /** Predictions asked for in a calendar month (UTC). Null: no limit. */
  predictions_per_month: number | null
}

/** What is left out stays; null removes a limit. Not with a key that is pinned to the sub-client. */
export type SubClientLimitsChange = {
  /** Devices that are not decommissioned. Null: no limit. */
  devices?: number | null | undefined
  /** Readings stored in a calendar month (UTC). Null: no limit. */
  readings_per_month?: number | null | undefined
  /** Predictions asked for in a calendar month (UTC). Null: no limit. */
  predictions_per_month?: number | null | undefined
}

/** A page of sub-clients. */
export type SubClientList = {
  /** How many there are on all pages, with the filters of this request. */
  total: number
  sub_clients: SubClient[]
  pagination: Pagination
}

/** What is left out stays. */
export type SubClientUpdate = {
  /** Display name. */
  name?: string | undefined
  /** `suspended` and `deactivated`: reads work, writes and readings are refused (`sub_client_suspended`). */
  status?: 'active' | 'suspended' | 'deactivated' | undefined
  /** Null removes it. */
  contact_email?: string | null | undefined
  /** Null removes it. */
  contact_phone?: string | null | undefined
  /** Replaces the whole object; null empties it. */
  metadata?: Record<string, unknown> | null | undefined
  limits?: SubClientLimitsChange | undefined
}

/** The record is stored. Sent after it is committed. */
export type TelemetryAccepted = {
  /** Reads the record back: GET /telemetry/{id}. */
  telemetry_id: string
  success: true
  /** The device it was stored for. */
  device_id: string | null
  /** The vehicle it was stored for; of a duplicate the one that the device is linked to now. */
  vehicle_id: string | null
  /** The sub-client it was stored for; of a duplicate that of the device now. */
  sub_client_id: string | null
  received_at: string
  /** The same reading was stored before; it is stored and metered once. */
  duplicate: boolean
  /** Fields that were stored and are not used. Left out when there are none. An answer names 100 at most, 20 of a record. */
  warnings?: FieldWarning[] | undefined
}

export type TelemetryBatch = TelemetryRecords | readonly TelemetryRecord[]

export type TelemetryRecord = {
  /** Registered device id, or IMEI. Either this or `vehicle_id` is required. */
  device_id?: string | undefined
  /** Our vehicle id, or your own name for the vehicle; one we do not know is created (by a device itself, only where the reseller allows it). */
  vehicle_id?: string | undefined
  /** Taken from the device when left out. */
  sub_client_id?: string | undefined
  /** RFC 3339 with an offset; from 30 days ago to 5 minutes ahead. The time of receipt when left out. */
  timestamp?: string | undefined
  /** Degrees north, WGS 84. Also `lat`. */
  latitude?: number | undefined
  /** Degrees east, WGS 84. Also `lon` or `lng`. */
  longitude?: number | undefined
  lat?: number | undefined
  lon?: number | undefined
  location?: ReadingPosition | undefined
  /** Degrees clockwise from north, 0 to 360. */
  heading?: number | undefined
  /** Metres above sea level. */
  altitude?: number | undefined
  satellites?: number | undefined
  /** Charge of the phone or tracker itself, in %. Never that of the vehicle. */
  device_battery?: number | undefined
  /** Voltage of its battery, in V. */
  device_battery_voltage?: number | undefined
  ignition?: boolean | undefined
  /** periodic, sos, tamper, overspeed, geofence_enter, geofence_exit, ignition_on, ignition_off, harsh_acceleration, harsh_braking, harsh_cornering, power_cut, low_battery, tow, crash, jamming, or a word of your own. */
  event?: string | undefined
  /** Engine speed, RPM. Outside 0 to 10000 it is stored, marked implausible and never used for scoring. */
  rpm?: number | undefined
  /** Coolant temperature, °C. Outside -40 to 150 it is stored, marked implausible and never used for scoring. */
  coolant_temp?: number | undefined
  /** Battery voltage, V. Outside 0 to 30 it is stored, marked implausible and never used for scoring. */
  battery_voltage?: number | undefined
  /** Fuel level, %. Outside 0 to 100 it is stored, marked implausible and never used for scoring. */
  fuel_level?: number | undefined
  /** Vehicle speed, km/h. Outside 0 to 300 it is stored, marked implausible and never used for scoring. */
  speed?: number | undefined
  /** Engine oil temperature, °C. Outside -40 to 210 it is stored, marked implausible and never used for scoring. */
  engineOilTemp?: number | undefined
  /** Fuel temperature, °C. Outside -40 to 150 it is stored, marked implausible and never used for scoring. */
  engineFuelTemp?: number | undefined
  /** Odometer, km. Outside 0 to 10000000 it is stored, marked implausible and never used for scoring. */
  odometer?: number | undefined
  /** Run time since engine start, s. Outside 0 to 720000000 it is stored, marked implausible and never used for scoring. */
  runTime?: number | undefined
  /** Current gear, gear. Outside -125 to 125 it is stored, marked implausible and never used for scoring. */
  current_gear?: number | undefined
  /** Fuel consumption, L/100km. Outside 0 to 500 it is stored, marked implausible and never used for scoring. */
  fuel_consumption?: number | undefined
  /** Ambient air temperature, °C. Outside -60 to 70 it is stored, marked implausible and never used for scoring. */
  ambient_temp?: number | undefined
  /** Engine oil pressure, PSI. Outside 0 to 145.038 it is stored, marked implausible and never used for scoring. */
  oil_pressure?: number | undefined
  /** Throttle position, %. Outside 0 to 100 it is stored, marked implausible and never used for scoring. */
  throttle?: number | undefined
  /** Intake air temperature, °C. Outside -40 to 150 it is stored, marked implausible and never used for scoring. */
  intake_air_temp?: number | undefined
  /** Malfunction indicator lamp */
  mil_lamp?: 'LAMP_ON' | 'LAMP_OFF' | undefined
  /** Red stop lamp */
  red_stop_lamp?: 'LAMP_ON' | 'LAMP_OFF' | undefined
  /** Amber warning lamp */
  amber_warning_lamp?: 'LAMP_ON' | 'LAMP_OFF' | undefined
  /** Protect lamp */
  protect_lamp?: 'LAMP_ON' | 'LAMP_OFF' | undefined
  /** Active fault codes: SAE J2012 (`P0217`) or J1939 (`SPN110-FMI0`). */
  dtc_codes?: readonly string[] | undefined
  sensor_data?: SensorData | undefined
  extra?: ExtraFields | undefined
  [key: string]: unknown
}

export type TelemetryRecords = {
  records: readonly TelemetryRecord[]
}

/** The point is stored. Sent after it is committed. */
export type TrackAccepted = {
  /** Reads the point back: GET /telemetry/{id}. */
  track_id: string
  success: true
  /** The device it was stored for. */
  device_id: string | null
  /** The vehicle it was stored for; of a duplicate the one that the device is linked to now. */
  vehicle_id: string | null
  /** The sub-client it was stored for; of a duplicate that of the device now. */
  sub_client_id: string | null
  received_at: string
  /** The same reading was stored before; it is stored and metered once. */
  duplicate: boolean
  /** Fields that were stored and are not used. Left out when there are none. An answer names 100 at most, 20 of a record. */
  warnings?: FieldWarning[] | undefined
}

export type TrackBatch = readonly TrackPoint[] | TrackPoints

export type TrackPoint = {
  /** Registered device id, or IMEI. */
  device_id: string
  vehicle_id?: string | undefined
  /** Taken from the device when left out. */
  sub_client_id?: string | undefined
  /** RFC 3339 with an offset; from 30 days ago to 5 minutes ahead. The time of receipt when left out. */
  timestamp?: string | undefined
  /** Degrees north, WGS 84. Also `lat`. */
  latitude?: number | undefined
  /** Degrees east, WGS 84. Also `lon` or `lng`. */
  longitude?: number | undefined
  lat?: number | undefined
  lon?: number | undefined
  location?: ReadingPosition | undefined
  /** Degrees clockwise from north, 0 to 360. */
  heading?: number | undefined
  /** Metres above sea level. */
  altitude?: number | undefined
  satellites?: number | undefined
  /** Charge of the phone or tracker itself, in %. Never that of the vehicle. */
  device_battery?: number | undefined
  /** Voltage of its battery, in V. */
  device_battery_voltage?: number | undefined
  ignition?: boolean | undefined
  /** periodic, sos, tamper, overspeed, geofence_enter, geofence_exit, ignition_on, ignition_off, harsh_acceleration, harsh_braking, harsh_cornering, power_cut, low_battery, tow, crash, jamming, or a word of your own. */
  event?: string | undefined
  /** Engine speed, RPM. Outside 0 to 10000 it is stored, marked implausible and never used for scoring. */
  rpm?: number | undefined
  /** Coolant temperature, °C. Outside -40 to 150 it is stored, marked implausible and never used for scoring. */
  coolant_temp?: number | undefined
  /** Battery voltage, V. Outside 0 to 30 it is stored, marked implausible and never used for scoring. */
  battery_voltage?: number | undefined
  /** Fuel level, %. Outside 0 to 100 it is stored, marked implausible and never used for scoring. */
  fuel_level?: number | undefined
  /** Vehicle speed, km/h. Outside 0 to 300 it is stored, marked implausible and never used for scoring. */
  speed?: number | undefined
  /** Engine oil temperature, °C. Outside -40 to 210 it is stored, marked implausible and never used for scoring. */
  engineOilTemp?: number | undefined
  /** Fuel temperature, °C. Outside -40 to 150 it is stored, marked implausible and never used for scoring. */
  engineFuelTemp?: number | undefined
  /** Odometer, km. Outside 0 to 10000000 it is stored, marked implausible and never used for scoring. */
  odometer?: number | undefined
  /** Run time since engine start, s. Outside 0 to 720000000 it is stored, marked implausible and never used for scoring. */
  runTime?: number | undefined
  /** Current gear, gear. Outside -125 to 125 it is stored, marked implausible and never used for scoring. */
  current_gear?: number | undefined
  /** Fuel consumption, L/100km. Outside 0 to 500 it is stored, marked implausible and never used for scoring. */
  fuel_consumption?: number | undefined
  /** Ambient air temperature, °C. Outside -60 to 70 it is stored, marked implausible and never used for scoring. */
  ambient_temp?: number | undefined
  /** Engine oil pressure, PSI. Outside 0 to 145.038 it is stored, marked implausible and never used for scoring. */
  oil_pressure?: number | undefined
  /** Throttle position, %. Outside 0 to 100 it is stored, marked implausible and never used for scoring. */
  throttle?: number | undefined
  /** Intake air temperature, °C. Outside -40 to 150 it is stored, marked implausible and never used for scoring. */
  intake_air_temp?: number | undefined
  /** Malfunction indicator lamp */
  mil_lamp?: 'LAMP_ON' | 'LAMP_OFF' | undefined
  /** Red stop lamp */
  red_stop_lamp?: 'LAMP_ON' | 'LAMP_OFF' | undefined
  /** Amber warning lamp */
  amber_warning_lamp?: 'LAMP_ON' | 'LAMP_OFF' | undefined
  /** Protect lamp */
  protect_lamp?: 'LAMP_ON' | 'LAMP_OFF' | undefined
  /** Active fault codes: SAE J2012 (`P0217`) or J1939 (`SPN110-FMI0`). */
  dtc_codes?: readonly string[] | undefined
  sensor_data?: SensorData | undefined
  extra?: ExtraFields | undefined
  [key: string]: unknown
}

export type TrackPoints = {
  points: readonly TrackPoint[]
}

/** What this month comes to if it goes on as it has until now. Active devices are not projected. */
export type UsageProjection = {
  /** The month it is. */
  period: string
  used: UsageTotals
  totals: UsageTotals
  /** How much of the month is over. */
  elapsed_percent: number
}

/** What was used, by period, sub-client and meter. Calls of the last second may be missing. */
export type UsageReport = {
  /** How many there are on all pages, with the filters of this request. */
  total: number
  granularity: string
  /** Start of the first period. */
  from: string
  /** End of the last period. */
  to: string
  totals: UsageTotals
  pagination: Pagination
  /** IANA name; where days and months begin. */
  time_zone: string
  /** By period, sub-client and meter. */
  rows: UsageRow[]
  projected: UsageProjection
}

export type UsageRow = {
  /** `2026-01`, `2026-01-31` or `2026-01-31T13:00+05:30`. */
  period: string
  meter: 'points_ingested' | 'api_calls' | 'predictions' | 'active_devices'
  /** Never 0: what was not used has no row. */
  count: number
  /** Null: what belongs to no sub-client. */
  sub_client_id: string | null
}

export type UsageTotals = {
  /** Readings that were stored; one that was known already counts nothing. */
  points_ingested: number
  /** Requests of keys that were let in, to both APIs. */
  api_calls: number
  /** Predictions that were asked for. */
  predictions: number
  /** Devices of which a reading was stored, once in each period. */
  active_devices: number
}

export type Vehicle = {
  vehicle_id: string
  /** The caller's own name for the vehicle; telemetry may use it as `vehicle_id`. */
  external_ref: string | null
  make: string | null
  model: string | null
  year: number | null
  vin: string | null
  license_plate: string | null
  /** Its name; of a vehicle without name and plate, its device's. */
  name: string | null
  vehicle_class: string | null
  fuel_type: string | null
  drivetrain: string | null
  battery_nominal_v: number | null
  status: 'active' | 'retired'
  /** When it was retired. */
  retired_at: string | null
  /** Owner. */
  sub_client_id: string | null
  /** The device linked to it last that is not decommissioned. */
  device_id: string | null
  /** Null until the vehicle is first scored. */
  health_score: number | null
  /** False for a vehicle that was made by a reading which named it. */
  registered: boolean
  /** When it was created. */
  created_at: string
  /** When it was last changed. */
  updated_at: string
}

/** The vehicle. */
export type VehicleAnswer = {
  success: true
  vehicle: Vehicle
}

/** A page of vehicles. */
export type VehicleList = {
  /** How many there are on all pages, with the filters of this request. */
  total: number
  vehicles: Vehicle[]
  pagination: Pagination
}

/** What is left out stays; null clears. */
export type VehicleUpdate = {
  /** Manufacturer. */
  make?: string | null | undefined
  /** Model. */
  model?: string | null | undefined
  /** Model year. */
  year?: number | null | undefined
  /** Vehicle identification number; kept in upper case and unique within the reseller. */
  vin?: string | null | undefined
  /** Registration plate. */
  license_plate?: string | null | undefined
  /** Name for people. */
  name?: string | null | undefined
  /** Kind of vehicle; light, medium and heavy are GVWR classes 1 and 2, 3 to 6, 7 and 8. Lives and use that predictions assume follow it. */
  vehicle_class?: 'passenger' | 'van' | 'light_truck' | 'medium_truck' | 'heavy_truck' | 'bus' | 'motorcycle' | 'off_highway' | 'trailer' | 'other' | null | undefined
  /** What it runs on. An electric vehicle has no predictions of an engine. */
  fuel_type?: 'petrol' | 'diesel' | 'cng' | 'lng' | 'lpg' | 'hybrid' | 'plug_in_hybrid' | 'electric' | 'hydrogen' | 'other' | null | undefined
  /** Which wheels are driven, as drive or axle configuration. */
  drivetrain?: 'fwd' | 'rwd' | 'awd' | '4x2' | '4x4' | '6x2' | '6x4' | '6x6' | '8x4' | '8x8' | 'other' | null | undefined
  /** Nominal voltage of the starter battery, in volts. */
  battery_nominal_v?: 12 | 24 | 48 | null | undefined
  /** The caller's own name for the vehicle, unique within the reseller; without the blanks around it. */
  external_ref?: string | null | undefined
  /** Moves the vehicle; null takes it out of its sub-client. */
  sub_client_id?: string | null | undefined
  /** `active` restores a vehicle that was retired. */
  status?: 'active' | 'retired' | undefined
}

/** Found by `vin`, else by `external_ref`, else by `license_plate` within the sub-client; else new. What is left out or null stays as it is. */
export type VehicleUpsert = {
  /** Manufacturer. */
  make?: string | null | undefined
  /** Model. */
  model?: string | null | undefined
  /** Model year. */
  year?: number | null | undefined
  /** Vehicle identification number; kept in upper case and unique within the reseller. */
  vin?: string | null | undefined
  /** Registration plate. */
  license_plate?: string | null | undefined
  /** Name for people. */
  name?: string | null | undefined
  /** Kind of vehicle; light, medium and heavy are GVWR classes 1 and 2, 3 to 6, 7 and 8. Lives and use that predictions assume follow it. */
  vehicle_class?: 'passenger' | 'van' | 'light_truck' | 'medium_truck' | 'heavy_truck' | 'bus' | 'motorcycle' | 'off_highway' | 'trailer' | 'other' | null | undefined
  /** What it runs on. An electric vehicle has no predictions of an engine. */
  fuel_type?: 'petrol' | 'diesel' | 'cng' | 'lng' | 'lpg' | 'hybrid' | 'plug_in_hybrid' | 'electric' | 'hydrogen' | 'other' | null | undefined
  /** Which wheels are driven, as drive or axle configuration. */
  drivetrain?: 'fwd' | 'rwd' | 'awd' | '4x2' | '4x4' | '6x2' | '6x4' | '6x6' | '8x4' | '8x8' | 'other' | null | undefined
  /** Nominal voltage of the starter battery, in volts. */
  battery_nominal_v?: 12 | 24 | 48 | null | undefined
  /** The caller's own name for the vehicle, unique within the reseller; without the blanks around it. */
  external_ref?: string | null | undefined
  /** A sub-client of this reseller. */
  sub_client_id?: string | null | undefined
  /** Device id or IMEI to link to the vehicle. */
  device_id?: string | null | undefined
}

/** The vehicle as it is now, and whether it is new. */
export type VehicleUpserted = {
  success: true
  vehicle_id: string
  /** False when the vehicle was known and has been updated. */
  created: boolean
  vehicle: Vehicle
}

export type ListSubClientsQuery = {
  /** `suspended` and `deactivated`: reads work, writes and readings are refused (`sub_client_suspended`). */
  status?: 'active' | 'suspended' | 'deactivated' | undefined
  /** Most items in the answer. Preset: `100`. */
  limit?: number | undefined
  /** `pagination.endCursor` of the page before. */
  after?: string | undefined
}

export type ListDevicesQuery = {
  /** Only what belongs to this sub-client. */
  sub_client_id?: string | undefined
  status?: 'pending' | 'active' | 'suspended' | 'decommissioned' | undefined
  /** Most items in the answer. Preset: `100`. */
  limit?: number | undefined
  /** `pagination.endCursor` of the page before. */
  after?: string | undefined
}

export type ListLocationsQuery = {
  /** Only what belongs to this sub-client. */
  sub_client_id?: string | undefined
  /** Most items in the answer. Preset: `100`. */
  limit?: number | undefined
  /** `pagination.endCursor` of the page before. */
  after?: string | undefined
}

export type ListVehiclesQuery = {
  /** Only what belongs to this sub-client. */
  sub_client_id?: string | undefined
  /** Only the vehicle with this VIN. */
  vin?: string | undefined
  /** Only vehicles with this plate. */
  license_plate?: string | undefined
  /** Those that are in service, or those that are retired. Preset: `active`. */
  status?: 'active' | 'retired' | undefined
  /** Most items in the answer. Preset: `100`. */
  limit?: number | undefined
  /** `pagination.endCursor` of the page before. */
  after?: string | undefined
}

export type ListPredictionsQuery = {
  /** Only what belongs to this sub-client. */
  sub_client_id?: string | undefined
  /** Only this vehicle: our id, or the caller's own reference. */
  vehicle_id?: string | undefined
  /** Most items in the answer. Preset: `100`. */
  limit?: number | undefined
  /** `pagination.endCursor` of the page before. */
  after?: string | undefined
}

export type GetUsageQuery = {
  /** Only what belongs to this sub-client. */
  sub_client_id?: string | undefined
  /** First day, in the time zone of the reseller. With `granularity=month` a month. The first of this month when left out. */
  from?: string | undefined
  /** The day, or month, after the last. What comes after the present when left out. */
  to?: string | undefined
  /** Length of a row’s period: at most 31 days by hour, 400 by day, 60 months by month. Preset: `day`. */
  granularity?: 'day' | 'month' | 'hour' | undefined
  /** `csv` and `ndjson` hold every row at once. Also by `Accept: text/csv` or `application/x-ndjson`. */
  format?: 'json' | 'csv' | 'ndjson' | undefined
  /** Most items in the answer. Preset: `100`. */
  limit?: number | undefined
  /** `pagination.endCursor` of the page before. */
  after?: string | undefined
}

/** The External API: sub-clients, devices, vehicles and their readings. */
export interface Api {
  readonly health: {
    /**
     * Whether the API answers, its version, and the scopes there are.
     *
     * `GET /api/external/health`
     */
    get(options?: RequestOptions): Promise<ExternalHealth>
  }
  readonly subClients: {
    /**
     * Create a sub-client.
     *
     * `POST /api/external/sub-clients`; scope `sub_clients:manage`
     */
    create(body: SubClientCreate, options?: WriteOptions): Promise<SubClientAnswer>
    /**
     * List sub-clients, oldest first.
     *
     * `GET /api/external/sub-clients`; scope `sub_clients:read`
     */
    list(query?: ListSubClientsQuery, options?: RequestOptions): Promise<SubClientList>
    /** The items of every page of `list`, fetched as they are read. `limit` is the length of a page. */
    iterate(query?: ListSubClientsQuery, options?: RequestOptions): AsyncGenerator<SubClient, void, undefined>
    /**
     * Get one sub-client.
     *
     * `GET /api/external/sub-clients/{sub_client_id}`; scope `sub_clients:read`
     */
    get(subClientId: string, options?: RequestOptions): Promise<SubClientAnswer>
    /**
     * Change a sub-client.
     * Setting `status` to `active` brings a suspended or deactivated sub-client back; its devices stay unassigned.
     *
     * `PUT /api/external/sub-clients/{sub_client_id}`; scope `sub_clients:manage`
     */
    update(subClientId: string, body: SubClientUpdate, options?: RequestOptions): Promise<SubClientAnswer>
    /**
     * Deactivate a sub-client.
     * The record remains with status `deactivated` and its devices are unassigned. Repeating it is fine.
     *
     * `DELETE /api/external/sub-clients/{sub_client_id}`; scope `sub_clients:manage`
     */
    deactivate(subClientId: string, options?: RequestOptions): Promise<SubClientDeactivated>
  }
  readonly devices: {
    /**
     * Register a device.
     * The answer shows the MQTT password, once. The same body for the same IMEI within 24 hours gets the same answer.
     *
     * `POST /api/external/devices`; scope `devices:write`
     */
    register(body: DeviceRegister, options?: WriteOptions): Promise<DeviceRegistered>
    /**
     * List devices, oldest first.
     *
     * `GET /api/external/devices`; scope `devices:read`
     */
    list(query?: ListDevicesQuery, options?: RequestOptions): Promise<DeviceList>
    /** The items of every page of `list`, fetched as they are read. `limit` is the length of a page. */
    iterate(query?: ListDevicesQuery, options?: RequestOptions): AsyncGenerator<Device, void, undefined>
    /**
     * Get one device.
     *
     * `GET /api/external/devices/{device_id}`; scope `devices:read`
     */
    get(deviceId: string, options?: RequestOptions): Promise<DeviceAnswer>
    /**
     * Change, reassign or link a device.
     * A device that is reassigned to another sub-client is unlinked from a vehicle of the one before, unless `vehicle_id` names a vehicle. A vehicle of no sub-client goes with its only device.
     *
     * `PUT /api/external/devices/{device_id}`; scope `devices:write`
     */
    update(deviceId: string, body: DeviceUpdate, options?: RequestOptions): Promise<DeviceAnswer>
    /**
     * Decommission a device.
     * Its credentials are revoked, its IMEI is free again and its history stays. Repeating it is fine, by the IMEI too as long as no other device has it.
     *
     * `POST /api/external/devices/{device_id}/decommission`; scope `devices:write`
     */
    decommission(deviceId: string, options?: WriteOptions): Promise<DeviceDecommissioned>
    /**
     * Give a device a new MQTT password.
     *
     * `POST /api/external/devices/{device_id}/credentials/rotate`; scope `devices:write`
     */
    rotateCredentials(deviceId: string, body?: CredentialsRotate, options?: WriteOptions): Promise<CredentialsRotated>
    /**
     * Latest location of every device that has one.
     *
     * `GET /api/external/devices/locations`; scope `devices:read` or `tracking:read`
     */
    listLocations(query?: ListLocationsQuery, options?: RequestOptions): Promise<LocationList>
    /** The items of every page of `listLocations`, fetched as they are read. `limit` is the length of a page. */
    iterateLocations(query?: ListLocationsQuery, options?: RequestOptions): AsyncGenerator<Location, void, undefined>
    /**
     * Latest location of one device.
     *
     * `GET /api/external/devices/{device_id}/location`; scope `devices:read` or `tracking:read`
     */
    getLocation(deviceId: string, options?: RequestOptions): Promise<LocationAnswer>
  }
  readonly vehicles: {
    /**
     * Create or update a vehicle.
     * Found by `vin`, else by `external_ref`, else by `license_plate` within the sub-client; else new. One that is retired is not found by its plate, stays retired, and takes no device. A known vehicle that is given another sub-client moves there, and the devices of the one before are unlinked from it.
     *
     * `POST /api/external/vehicles`; scope `vehicles:write`
     */
    upsert(body: VehicleUpsert, options?: WriteOptions): Promise<VehicleUpserted>
    /**
     * List vehicles, oldest first.
     *
     * `GET /api/external/vehicles`; scope `vehicles:read`
     */
    list(query?: ListVehiclesQuery, options?: RequestOptions): Promise<VehicleList>
    /** The items of every page of `list`, fetched as they are read. `limit` is the length of a page. */
    iterate(query?: ListVehiclesQuery, options?: RequestOptions): AsyncGenerator<Vehicle, void, undefined>
    /**
     * Get one vehicle.
     *
     * `GET /api/external/vehicles/{vehicle_id}`; scope `vehicles:read`
     */
    get(vehicleId: string, options?: RequestOptions): Promise<VehicleAnswer>
    /**
     * Change, move, retire or restore a vehicle.
     * Moved to another sub-client, it leaves the devices of the one before. To link a device, PUT the device.
     *
     * `PUT /api/external/vehicles/{vehicle_id}`; scope `vehicles:write`
     */
    update(vehicleId: string, body: VehicleUpdate, options?: RequestOptions): Promise<VehicleAnswer>
    /**
     * Retire a vehicle.
     * Its history stays. It is not listed unless asked for, not scored, and opens no alerts; its devices are unlinked from it. PUT `status: "active"` restores it. Repeating it is fine.
     *
     * `DELETE /api/external/vehicles/{vehicle_id}`; scope `vehicles:write`
     */
    retire(vehicleId: string, options?: RequestOptions): Promise<VehicleAnswer>
  }
  readonly telemetry: {
    /**
     * Send one telemetry record.
     *
     * `POST /api/external/telemetry`; scope `telemetry:write`
     */
    send(body: TelemetryRecord, options?: WriteOptions): Promise<TelemetryAccepted>
    /**
     * Send any number of telemetry records.
     * Sent in parts of at most 100, one after the other; what is returned names places in the whole.
     *
     * `POST /api/external/telemetry/batch`; scope `telemetry:write`
     */
    sendBatch(records: readonly TelemetryRecord[], options?: WriteOptions): Promise<BatchAccepted>
    /**
     * Read back one stored record or track point.
     * `telemetry:read` reads both; `tracking:read` reads track points.
     *
     * `GET /api/external/telemetry/{id}`; scope `telemetry:read` or `tracking:read`
     */
    get(id: string, options?: RequestOptions): Promise<StoredReading>
  }
  readonly track: {
    /**
     * Send one GPS track point.
     *
     * `POST /api/external/track`; scope `tracking:write`
     */
    send(body: TrackPoint, options?: WriteOptions): Promise<TrackAccepted>
    /**
     * Send any number of GPS track points.
     * Sent in parts of at most 100, one after the other; what is returned names places in the whole.
     *
     * `POST /api/external/track/batch`; scope `tracking:write`
     */
    sendBatch(points: readonly TrackPoint[], options?: WriteOptions): Promise<BatchAccepted>
  }
  /**
   * Predict from sensor data.
   * Asks what these readings would mean for the vehicle, as if they lasted. The vehicle need not be known: a reference of your own that nothing has is answered under that reference. Of a known vehicle its record counts: class, fuel, voltage and VIN. Nothing is stored and no alert is opened; send readings to `/telemetry` for that.
   *
   * `POST /api/external/predict`; scope `predict`
   */
  predict(body: PredictRequest, options?: WriteOptions): Promise<PredictAnswer>
  readonly predictions: {
    /**
     * List maintenance predictions, oldest first.
     *
     * `GET /api/external/predictions`; scope `predict`
     */
    list(query?: ListPredictionsQuery, options?: RequestOptions): Promise<PredictionList>
    /** The items of every page of `list`, fetched as they are read. `limit` is the length of a page. */
    iterate(query?: ListPredictionsQuery, options?: RequestOptions): AsyncGenerator<Prediction, void, undefined>
  }
  readonly usage: {
    /**
     * What was used, by period, sub-client and meter.
     * Counted by the time the service received it, in days and months of the reseller’s time zone. Readings that were known already and whatever was refused count nothing.
     *
     * `GET /api/external/usage`; scope `billing:read`
     */
    get(query?: GetUsageQuery & { readonly format?: 'json' | undefined }, options?: RequestOptions): Promise<UsageReport>
    /**
     * What was used, by period, sub-client and meter.
     * Counted by the time the service received it, in days and months of the reseller’s time zone. Readings that were known already and whatever was refused count nothing.
     *
     * `GET /api/external/usage`; scope `billing:read`
     */
    get(query: GetUsageQuery & { readonly format: 'csv' | 'ndjson' }, options?: RequestOptions): Promise<string>
    /** The items of every page of `get`, fetched as they are read. `limit` is the length of a page. */
    iterate(query?: Omit<GetUsageQuery, 'format'>, options?: RequestOptions): AsyncGenerator<UsageRow, void, undefined>
  }
}
