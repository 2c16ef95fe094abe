// Written by `npm run openapi` from docs/openapi/engine.json and the table of methods. Changes belong there.

import type { BinaryBody, RequestOptions } from '../request-options.ts'

export type EngineAdvice = {
  /** Stop as soon as it is safe; go to a workshop now; plan the work within days; by the next service; nothing to do. */
  act: 'stop' | 'now' | 'plan' | 'next_service' | 'run_on'
  /** `[p10, p90]` in days that the component still lasts, where known. */
  interval?: [number, number] | undefined
  /** What to do. */
  what: string
  /** The evidence, in one sentence. */
  why: string
  /** What waiting risks. */
  risk: string
}

export type EngineAlert = {
  /** With `component` the identity of the alert, the same from one prediction to the next. */
  type: string
  /** The part it is about. */
  component: 'engine' | 'cooling' | 'lubrication' | 'fuel' | 'transmission' | 'brakes' | 'battery' | 'charging' | 'intake' | 'emissions' | 'aftertreatment' | 'high_voltage' | 'chassis' | 'body' | 'network'
  /** Mildest first. */
  severity: 'info' | 'low' | 'medium' | 'high' | 'critical'
  /** A few words: what is wrong. */
  description: string
  /** One sentence that names the reading and the threshold. */
  message: string
  /** How soon to act. */
  urgency: 'monitor' | 'routine' | 'soon' | 'urgent' | 'immediate'
  /** The fault code, for an alert that comes from one, with its failure-type byte where it was sent: `C0035-64`. */
  code?: string | undefined
  /** What drove it: `signal` or `lamp` (a field of the input), `value`, `threshold`, `unit`, `heldSeconds`, `stateOfChargePct` of a battery at rest; of fault codes `codes`, `titles` (plain words, in the same order) and `drivingOn` (what the worst one means for driving on); of a life that ends `age`, `clock`, `wornSharePct`, `medianDays`, `p10Days`, `p90Days` and `basis`. */
  evidence: Record<string, unknown>
  /** The `cause` of the incident that it belongs to. */
  incident: string
}

/** The names that are mapped. */
export type EngineAliases = {
  description: string
  /** Standard field to its aliases. */
  aliases: Record<string, string[]>
}

export type EngineBatchInput = {
  /** At most 1000. */
  vehicles: readonly EngineInput[]
}

export type EngineBatchItemError = {
  /** As given, where it was given. */
  vehicleId: string | null
  error: EngineItemProblem
}

/** A prediction or an error for each input, in its place. */
export type EngineBatchOutput = {
  /** The number of inputs. */
  count: number
  processingTimeMs: number
  /** One for each input, in its place. */
  predictions: (EngineOutput | EngineBatchItemError)[]
}

export type EngineEvidence = {
  type: string
  /** Of the alert of this type. */
  component: 'engine' | 'cooling' | 'lubrication' | 'fuel' | 'transmission' | 'brakes' | 'battery' | 'charging' | 'intake' | 'emissions' | 'aftertreatment' | 'high_voltage' | 'chassis' | 'body' | 'network'
  /** Of this piece of evidence. */
  severity: 'info' | 'low' | 'medium' | 'high' | 'critical'
  message: string
  code?: string | undefined
}

/** The engine is up. */
export type EngineHealth = {
  /** `healthy` when up; `draining` while it stops. */
  status: string
  version: string
  models_loaded: boolean
  models_count: number
  uptime_seconds: number
  license?: LicenseState | undefined
}

/** Findings with one cause, which count once. */
export type EngineIncident = {
  /** One of a vehicle at a time, and the same from one prediction to the next. */
  cause: string
  /** The part it is about. */
  component: 'engine' | 'cooling' | 'lubrication' | 'fuel' | 'transmission' | 'brakes' | 'battery' | 'charging' | 'intake' | 'emissions' | 'aftertreatment' | 'high_voltage' | 'chassis' | 'body' | 'network'
  /** Of the worst evidence. */
  severity: 'info' | 'low' | 'medium' | 'high' | 'critical'
  /** A few words: what is wrong. */
  title: string
  recommendation: string
  /** Points that `healthScore` would gain if it were not there. */
  healthLost: number
  /** The readings, codes and lamps that have this one cause: an alert each. The most specific come first, lamps last. */
  evidence: EngineEvidence[]
}

export type EngineInput = {
  /** The only required field. Also: `vin`, `VIN`, `vehicle_id`, `fleet_id`, `asset_id`. */
  vehicleId: string
  /** RFC 3339 with an offset: when the vehicle read this. The time of receipt when left out. */
  timestamp?: string | undefined
  /** Engine speed, RPM. Also: `rpm`, `engine_rpm`, `engineRPM`, `motor_speed`. */
  engine_speed?: number | undefined
  /** Coolant temperature, °C. Also: `coolant_temp`, `engine_temp`, `ect`, `water_temp`. */
  coolant?: number | undefined
  /** Battery voltage, V. Also: `battery`, `bat_v`, `voltage`, `batt_voltage`. */
  battery_voltage?: number | undefined
  /** Fuel level, %. Also: `fuel`, `tank`, `fuel_pct`, `tank_level`. */
  fuel_level?: number | undefined
  /** Vehicle speed, km/h. Also: `speed`, `vehicle_speed`, `gps_speed`, `kph`. */
  vehicleSpeed?: number | undefined
  /** Engine oil temperature, °C. */
  engineOilTemp?: number | undefined
  /** Fuel temperature, °C. */
  engineFuelTemp?: number | undefined
  /** Odometer, km. Also: `odometer`, `odo`, `mileage`, `total_km`, `distance`. */
  obdDistance?: number | undefined
  /** Run time since engine start, s. */
  runTime?: number | undefined
  /** Current gear, gear. */
  current_gear?: number | undefined
  /** Fuel consumption, L/100km. */
  fuel_consumption?: number | undefined
  /** Ambient air temperature, °C. */
  ambient_air_temperature?: number | undefined
  /** Engine oil pressure, PSI. */
  oil_pressure?: number | undefined
  /** Throttle position, %. */
  throttle?: number | undefined
  /** Intake air temperature, °C. */
  intake_air_temp?: number | undefined
  /** Malfunction indicator lamp. Leave out when unknown. */
  mil_lamp?: 'LAMP_ON' | 'LAMP_OFF' | undefined
  /** Red stop lamp. Leave out when unknown. */
  red_stop_lamp?: 'LAMP_ON' | 'LAMP_OFF' | undefined
  /** Amber warning lamp. Leave out when unknown. */
  amber_warning_lamp?: 'LAMP_ON' | 'LAMP_OFF' | undefined
  /** Protect lamp. Leave out when unknown. */
  protect_lamp?: 'LAMP_ON' | 'LAMP_OFF' | undefined
  /** Active fault codes: SAE J2012 (`P0217`, with a failure-type byte `C0035-64`) or J1939 (`SPN 110 FMI 0`). Empty means there are none. Also: `dtc`, `fault_codes`, `faultCodes`, `error_codes`. */
  dtc_codes?: readonly string[] | undefined
  /** Degrees north. Not used for scoring. */
  latitude?: number | undefined
  /** Degrees east. Not used for scoring. */
  longitude?: number | undefined
  /** Days since first registration, where known. */
  vehicleAgeDays?: number | undefined
  /** Kind of vehicle; light, medium and heavy are GVWR classes 1 and 2, 3 to 6, 7 and 8. Without it class follows from J1939 fault codes, the VIN, a 24 V system, else a passenger car is assumed. */
  vehicleClass?: 'passenger' | 'van' | 'light_truck' | 'medium_truck' | 'heavy_truck' | 'bus' | 'motorcycle' | 'off_highway' | 'trailer' | 'other' | undefined
  /** What it runs on. Without it electric vehicles are known by some VINs, else a combustion engine is assumed. */
  fuelType?: 'petrol' | 'diesel' | 'cng' | 'lng' | 'lpg' | 'hybrid' | 'plug_in_hybrid' | 'electric' | 'hydrogen' | 'other' | undefined
  /** Which wheels are driven. Not used for scoring. */
  drivetrain?: 'fwd' | 'rwd' | 'awd' | '4x2' | '4x4' | '6x2' | '6x4' | '6x6' | '8x4' | '8x8' | 'other' | undefined
  /** Nominal voltage of the starter battery, in volts. Readings that clearly show another one are judged by that. */
  batteryNominalV?: 12 | 24 | 48 | undefined
  /** Vehicle identification number: its first three characters may show class and drive. Beside `vehicleId` it is only that, without one it is the id as well. */
  vin?: string | undefined
  /** Parts that are not as old as the vehicle: their remaining life counts from there. Each with `odometerKm`, `replacedAt` or both. */
  replacedParts?: readonly ReplacedPart[] | undefined
  /** The `healthStatus` last reported of this vehicle; it is left for a better one only 3 points inside that one. */
  previousHealthStatus?: 'healthy' | 'warning' | 'critical' | undefined
  /** Earlier readings of the same vehicle, oldest first, each with its `timestamp`; those that name another vehicle are left out, and one that is there twice counts once. With it, also when empty, a condition must be seen to hold before it alerts; without it, every reading is taken as lasting. */
  history?: readonly EngineReading[] | undefined
  [key: string]: unknown
}

export type EngineItemProblem = {
  code: string
  message: string
}

/** The process runs. */
export type EngineLive = {
  status: string
}

/** Further keys are its metrics. */
export type EngineModel = {
  name: string
  /** `rules` and `weibull` come from knowledge; learned models name their kind. */
  type: string
  version: string
  description: string
  /** Where its figures come from. */
  source: string
  /** `serving`; `kept`: a newer version, or the folder, was refused and this one goes on; `failed`: it does not answer. */
  status: string
  /** Why it was kept or failed. */
  reason?: string | undefined
  /** Of knowledge: every number that it judges by. A learned model has what it was trained on instead. */
  numbers?: EngineNumber[] | undefined
  /** How many of them have which origin. */
  numbers_by_origin?: Record<string, number> | undefined
  [key: string]: unknown
}

/** What answers predictions. */
export type EngineModels = {
  models: EngineModel[]
  /** Why the folder of models could not be read at the last look. */
  problem?: string | undefined
}

/** A number that decides what is reported, and where it comes from. */
export type EngineNumber = {
  /** File, constant and, in a table, column, as the code has them. */
  name: string
  /** A number, the word that stands for one, such as a severity, a list, or values by name. */
  value: number | string | (number | string)[] | Record<string, number | string | (number | string)[]>
  unit: string
  /** `data`: measured on recordings at hand. `literature`: a maker, a manual, a standard or a book. `benchmark`: set or checked by the benchmark of quality. `assumption`: a judgement, whatever it is based on. */
  origin: 'data' | 'literature' | 'benchmark' | 'assumption'
  /** Which recording, which manual, or why it was judged so. */
  source: string
}

/** The prediction. */
export type EngineOutput = {
  vehicleId: string
  /** Of the reading that was judged. */
  timestamp: string
  processingTimeMs: number
  predictions: EnginePredictions
  /** Worst first. */
  alerts: EngineAlert[]
  /** The alerts by their cause, worst first. */
  incidents: EngineIncident[]
  /** What to do, for each component that something was found on or whose life is ending. A component that is not here runs on. */
  advice: Record<string, EngineAdvice>
  /** What was found and not found, with readings and thresholds. */
  insights: string[]
  recommendations: string[]
  /** How much was reported, not how likely the answer is right. It rises with every valid field and with history. */
  confidence: number
  /** Health of each component, 0 to 100. Engine, cooling, lubrication, fuel, transmission, brakes, battery, charging; intake, emissions, aftertreatment, high_voltage, chassis, body and network only when a code names them. */
  components: Record<string, number>
  /** Component to `[p10, p90]` in days. */
  remainingUsefulLifeInterval: Record<string, [number, number]>
  /** Standard fields that would raise confidence. */
  missingFields: string[]
  modelVersion: string
  _schemaMapping?: SchemaMapping | undefined
  _validation?: InputValidation | undefined
}

export type EnginePredictions = {
  /** Near the worst component, never a mean. */
  healthScore: number
  /** At least 70, at least 40, below 40. */
  healthStatus: 'healthy' | 'warning' | 'critical'
  /** By `maintenanceProbability`: below 0.10, 0.35, 0.65, and above. Where something was found it rests on an assumption: how long parts last that show it. Neither that nor the life of parts was counted on any fleet. */
  riskLevel: 'none' | 'low' | 'medium' | 'high'
  maintenanceNeeded: boolean
  /** That some component needs work within 30 days, from published lives and what was found. Where something was found it rests on an assumption: how long parts last that show it. Neither that nor the life of parts was counted on any fleet. */
  maintenanceProbability: number
  /** Component to days, median. */
  remainingUsefulLife: Record<string, number>
  /** Component to `[p10, p90]` in days. */
  remainingUsefulLifeInterval: Record<string, [number, number]>
  anomalyScore: number
  anomalyDetected: boolean
  /** Fields that `anomalyScore` was judged by. Empty where none could be judged: a score of 0 then means nothing. */
  anomalyBasis: string[]
  /** Health of each component, 0 to 100. Engine, cooling, lubrication, fuel, transmission, brakes, battery, charging; intake, emissions, aftertreatment, high_voltage, chassis, body and network only when a code names them. */
  components: Record<string, number>
  /** How much was reported, not how likely the answer is right. It rises with every valid field and with history. */
  confidence: number
  /** For each component of `remainingUsefulLife`, how well it is known: 0.1 where the interval is as wide as for a vehicle of which nothing is known, to 0.95 for one without any width. Where it follows from a finding, no more than the share of condition that the component has lost. */
  componentConfidence: Record<string, number>
  /** What to do, for each component that something was found on or whose life is ending. A component that is not here runs on. */
  advice: Record<string, EngineAdvice>
}

export type EngineReading = {
  /** RFC 3339 with an offset: when the vehicle read this. The time of receipt when left out. */
  timestamp?: string | undefined
  /** Engine speed, RPM. Also: `rpm`, `engine_rpm`, `engineRPM`, `motor_speed`. */
  engine_speed?: number | undefined
  /** Coolant temperature, °C. Also: `coolant_temp`, `engine_temp`, `ect`, `water_temp`. */
  coolant?: number | undefined
  /** Battery voltage, V. Also: `battery`, `bat_v`, `voltage`, `batt_voltage`. */
  battery_voltage?: number | undefined
  /** Fuel level, %. Also: `fuel`, `tank`, `fuel_pct`, `tank_level`. */
  fuel_level?: number | undefined
  /** Vehicle speed, km/h. Also: `speed`, `vehicle_speed`, `gps_speed`, `kph`. */
  vehicleSpeed?: number | undefined
  /** Engine oil temperature, °C. */
  engineOilTemp?: number | undefined
  /** Fuel temperature, °C. */
  engineFuelTemp?: number | undefined
  /** Odometer, km. Also: `odometer`, `odo`, `mileage`, `total_km`, `distance`. */
  obdDistance?: number | undefined
  /** Run time since engine start, s. */
  runTime?: number | undefined
  /** Current gear, gear. */
  current_gear?: number | undefined
  /** Fuel consumption, L/100km. */
  fuel_consumption?: number | undefined
  /** Ambient air temperature, °C. */
  ambient_air_temperature?: number | undefined
  /** Engine oil pressure, PSI. */
  oil_pressure?: number | undefined
  /** Throttle position, %. */
  throttle?: number | undefined
  /** Intake air temperature, °C. */
  intake_air_temp?: number | undefined
  /** Malfunction indicator lamp. Leave out when unknown. */
  mil_lamp?: 'LAMP_ON' | 'LAMP_OFF' | undefined
  /** Red stop lamp. Leave out when unknown. */
  red_stop_lamp?: 'LAMP_ON' | 'LAMP_OFF' | undefined
  /** Amber warning lamp. Leave out when unknown. */
  amber_warning_lamp?: 'LAMP_ON' | 'LAMP_OFF' | undefined
  /** Protect lamp. Leave out when unknown. */
  protect_lamp?: 'LAMP_ON' | 'LAMP_OFF' | undefined
  /** Active fault codes: SAE J2012 (`P0217`, with a failure-type byte `C0035-64`) or J1939 (`SPN 110 FMI 0`). Empty means there are none. Also: `dtc`, `fault_codes`, `faultCodes`, `error_codes`. */
  dtc_codes?: readonly string[] | undefined
  /** Degrees north. Not used for scoring. */
  latitude?: number | undefined
  /** Degrees east. Not used for scoring. */
  longitude?: number | undefined
  [key: string]: unknown
}

/** Counts since the start. */
export type EngineStatistics = {
  /** Predictions made since start, by this replica. */
  total_processed: number
  /** Of those, inputs that used standard names only. */
  fully_standard: number
  /** Of those, inputs that used an alias. */
  required_mapping: number
  /** Per cent. */
  standard_compliance_rate: number
}

/** A unit that the sender should look at. Nothing was converted. */
export type EngineUnitSuggestion = {
  /** Standard name of the field. */
  field: string
  /** The unit of that field. */
  unit: string
  /** The unit it seems to be sent in. */
  suspectedUnit: string
  /** As sent. */
  value: number
  /** What that is in the unit of the field, if it was sent in the other one. */
  convertedValue: number
  /** Of this input and its history, those that show it. */
  readings: number
  /** One sentence with the evidence. */
  reason: string
}

export type InferInput = {
  /** `features`. */
  name: string
  /** Rows and features. */
  shape: readonly number[]
  datatype: 'FP32' | 'FP64' | 'INT8' | 'INT16' | 'INT32' | 'INT64' | 'UINT8' | 'UINT16' | 'UINT32' | 'UINT64'
  parameters?: InferInputParameters | undefined
  /** Row by row, flat or as an array of rows. `null` is a missing value. */
  data?: readonly (number | null | readonly (number | null)[])[] | undefined
  [key: string]: unknown
}

export type InferInputParameters = {
  /** Bytes of this tensor behind the JSON, in the place of `data`. */
  binary_data_size?: number | undefined
  [key: string]: unknown
}

export type InferOutput = {
  name: string
  shape: number[]
  datatype: 'FP64'
  data?: (number | null)[] | undefined
  parameters?: InferOutputParameters | undefined
}

export type InferOutputParameters = {
  binary_data_size: number
}

export type InferRequest = {
  /** Comes back with the answer. */
  id?: string | undefined
  parameters?: InferRequestParameters | undefined
  inputs: readonly InferInput[]
  /** Which outputs are wanted; all by default. */
  outputs?: readonly RequestedOutput[] | undefined
  [key: string]: unknown
}

export type InferRequestParameters = {
  /** Outputs as bytes behind the JSON, where the outputs do not choose. */
  binary_data_output?: boolean | undefined
  [key: string]: unknown
}

/** One output for each number that the model gives, one row for each row of the input. */
export type InferResponse = {
  model_name: string
  model_version: string
  id?: string | undefined
  outputs: InferOutput[]
}

/** Only when fields were dropped. */
export type InputValidation = {
  /** Fields that were dropped; `history.` and the field where it was dropped from readings of `history`. */
  ignored: string[]
  /** Field to why. */
  reasons: Record<string, string>
}

/** A JSON Schema, draft 2020-12. */
export type JsonSchema = Record<string, unknown>

/** In the edition that asks for a licence. */
export type LicenseState = {
  /** `valid`, `grace`, `expired`, `forged`, `missing` and the like. */
  status: string
  message: string
  expires_at?: string | undefined
}

/** What the model takes and gives. */
export type ModelMetadata = {
  name: string
  /** The one version that is served. */
  versions: string[]
  platform: string
  inputs: TensorMetadata[]
  outputs: TensorMetadata[]
  parameters: ModelMetadataParameters
}

export type ModelMetadataParameters = {
  /** What each column of the input is, in order. */
  features: string[]
  created_at: string
  [key: string]: unknown
}

/** The model takes requests. */
export type ModelReady = {
  name: string
  ready: boolean
}

export type ReplacedPart = {
  /** `engine`, `cooling`, `fuel`, `transmission`, `brakes`, `battery` or `charging`; any other is left out and named in `_validation`. */
  component: string
  /** What the odometer showed when the part was put in. */
  odometerKm?: number | undefined
  /** When the part was put in. */
  replacedAt?: string | undefined
  [key: string]: unknown
}

export type RequestedOutput = {
  name: string
  parameters?: RequestedOutputParameters | undefined
  [key: string]: unknown
}

export type RequestedOutputParameters = {
  binary_data?: boolean | undefined
  [key: string]: unknown
}

/** Only when aliases were used, a key is not known, or a unit is doubted. */
export type SchemaMapping = {
  autoMapped: boolean
  /** Alias to standard name. */
  mappedFields: Record<string, string>
  /** Aliases whose field was there under another name too; the first of them where there are more. */
  ignored?: string[] | undefined
  /** Keys that mean no field, those of `history` among them. */
  unmapped?: UnmappedField[] | undefined
  /** Fields whose unit seems to be another one. */
  suggestions?: EngineUnitSuggestion[] | undefined
}

/** The process answers. */
export type ServerLive = {
  live: boolean
}

/** What serves. */
export type ServerMetadata = {
  name: string
  version: string
  extensions: string[]
}

/** It takes requests. */
export type ServerReady = {
  ready: boolean
}

export type TensorMetadata = {
  name: string
  datatype: string
  /** -1 stands for any number of rows. */
  shape: number[]
}

export type UnmappedField = {
  /** The key as it was sent, cut after 128 characters. */
  field: string
  /** The standard field whose name is nearest, where one is near. */
  closest: string | null
}

/** The engine. It has no keys and stores nothing. */
export interface Api {
  readonly health: {
    /**
     * Whether the engine is up, and what it has loaded.
     *
     * `GET /v1/health`
     */
    get(options?: RequestOptions): Promise<EngineHealth>
    /**
     * Whether the process answers at all.
     *
     * `GET /livez`
     */
    live(options?: RequestOptions): Promise<EngineLive>
    /**
     * Whether to send it predictions.
     *
     * `GET /readyz`
     */
    ready(options?: RequestOptions): Promise<EngineLive>
  }
  /**
   * Predict the health of one vehicle.
   * Only `vehicleId` is required. Fields that cannot be used are dropped and named in `_validation.ignored`; other names are mapped and reported in `_schemaMapping`.
   *
   * `POST /v1/predict`
   */
  predict(body: EngineInput, options?: RequestOptions): Promise<EngineOutput>
  /**
   * Predict the health of any number of vehicles.
   * Sent in parts of at most 1000, one after the other; what is returned names places in the whole.
   *
   * `POST /v1/predict/batch`
   */
  predictBatch(vehicles: readonly EngineInput[], options?: RequestOptions): Promise<EngineBatchOutput>
  readonly models: {
    /**
     * What answers predictions, with what has been measured of it.
     *
     * `GET /v1/models`
     */
    list(options?: RequestOptions): Promise<EngineModels>
  }
  readonly schema: {
    /**
     * JSON Schema of the input, aliases included.
     *
     * `GET /v1/schema/input`
     */
    input(options?: RequestOptions): Promise<JsonSchema>
    /**
     * JSON Schema of the response.
     *
     * `GET /v1/schema/output`
     */
    output(options?: RequestOptions): Promise<JsonSchema>
    /**
     * Names mapped to standard fields.
     *
     * `GET /v1/schema/aliases`
     */
    aliases(options?: RequestOptions): Promise<EngineAliases>
    /**
     * How well inputs keep to the schema.
     *
     * `GET /v1/schema/statistics`
     */
    statistics(options?: RequestOptions): Promise<EngineStatistics>
  }
  readonly inference: {
    /**
     * Name and version of the server.
     *
     * `GET /v2`
     */
    server(options?: RequestOptions): Promise<ServerMetadata>
    /**
     * Whether the server answers at all.
     *
     * `GET /v2/health/live`
     */
    live(options?: RequestOptions): Promise<ServerLive>
    /**
     * Whether to send it requests.
     *
     * `GET /v2/health/ready`
     */
    ready(options?: RequestOptions): Promise<ServerReady>
    /**
     * What a model takes and gives.
     *
     * `GET /v2/models/{model}`
     */
    model(model: string, options?: RequestOptions): Promise<ModelMetadata>
    /**
     * Whether a model answers.
     *
     * `GET /v2/models/{model}/ready`
     */
    modelReady(model: string, options?: RequestOptions): Promise<ModelReady>
    /**
     * Score rows of features.
     * Rows of features in the order of the metadata, flat or nested; `null` is a missing value. At most 10,000 rows. With the extension of binary tensors the body is that JSON with `binary_data_size` in the place of `data`, and behind it the values, little-endian, not a number for a missing one; `Inference-Header-Content-Length` is how many bytes are JSON. The answer has that form where `binary_data` of an output, or `binary_data_output`, asks for it.
     *
     * `POST /v2/models/{model}/infer`
     */
    infer(model: string, body: InferRequest, options?: RequestOptions): Promise<InferResponse | Uint8Array<ArrayBuffer>>
    /**
     * Score rows of features.
     * Rows of features in the order of the metadata, flat or nested; `null` is a missing value. At most 10,000 rows. With the extension of binary tensors the body is that JSON with `binary_data_size` in the place of `data`, and behind it the values, little-endian, not a number for a missing one; `Inference-Header-Content-Length` is how many bytes are JSON. The answer has that form where `binary_data` of an output, or `binary_data_output`, asks for it.
     *
     * `POST /v2/models/{model}/infer`
     */
    infer(model: string, body: BinaryBody, options?: RequestOptions): Promise<InferResponse | Uint8Array<ArrayBuffer>>
    /**
     * The same of one version.
     *
     * `GET /v2/models/{model}/versions/{version}`
     */
    modelVersion(model: string, version: string, options?: RequestOptions): Promise<ModelMetadata>
    /**
     * Whether that version answers.
     *
     * `GET /v2/models/{model}/versions/{version}/ready`
     */
    modelVersionReady(model: string, version: string, options?: RequestOptions): Promise<ModelReady>
    /**
     * Score rows by that version.
     * Rows of features in the order of the metadata, flat or nested; `null` is a missing value. At most 10,000 rows. With the extension of binary tensors the body is that JSON with `binary_data_size` in the place of `data`, and behind it the values, little-endian, not a number for a missing one; `Inference-Header-Content-Length` is how many bytes are JSON. The answer has that form where `binary_data` of an output, or `binary_data_output`, asks for it.
     *
     * `POST /v2/models/{model}/versions/{version}/infer`
     */
    inferVersion(model: string, version: string, body: InferRequest, options?: RequestOptions): Promise<InferResponse | Uint8Array<ArrayBuffer>>
    /**
     * Score rows by that version.
     * Rows of features in the order of the metadata, flat or nested; `null` is a missing value. At most 10,000 rows. With the extension of binary tensors the body is that JSON with `binary_data_size` in the place of `data`, and behind it the values, little-endian, not a number for a missing one; `Inference-Header-Content-Length` is how many bytes are JSON. The answer has that form where `binary_data` of an output, or `binary_data_output`, asks for it.
     *
     * `POST /v2/models/{model}/versions/{version}/infer`
     */
    inferVersion(model: string, version: string, body: BinaryBody, options?: RequestOptions): Promise<InferResponse | Uint8Array<ArrayBuffer>>
  }
}
