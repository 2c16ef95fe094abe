# Written by `npm run openapi` from docs/openapi/engine.json. Changes belong there.
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias, TypedDict


class _EngineAdviceRequired(TypedDict):
    act: Literal["stop", "now", "plan", "next_service", "run_on"]
    """Stop as soon as it is safe; go to a workshop now; plan the work within days; by the next service; nothing to do."""
    what: str
    """What to do."""
    why: str
    """The evidence, in one sentence."""
    risk: str
    """What waiting risks."""


class EngineAdvice(_EngineAdviceRequired, total=False):
    interval: list[float]
    """`[p10, p90]` in days that the component still lasts, where known."""


class _EngineAlertRequired(TypedDict):
    type: str
    """With `component` the identity of the alert, the same from one prediction to the next."""
    component: Literal["engine", "cooling", "lubrication", "fuel", "transmission", "brakes", "battery", "charging", "intake", "emissions", "aftertreatment", "high_voltage", "chassis", "body", "network"]
    """The part it is about."""
    severity: Literal["info", "low", "medium", "high", "critical"]
    """Mildest first."""
    description: str
    """A few words: what is wrong."""
    message: str
    """One sentence that names the reading and the threshold."""
    urgency: Literal["monitor", "routine", "soon", "urgent", "immediate"]
    """How soon to act."""
    evidence: dict[str, Any]
    """What drove it: `signal` or `lamp` (a field of the input), `value`, `threshold`, `unit`, `heldSeconds`, `stateOfChargePct` of a battery at rest; of fault codes `codes`, `titles` (plain words, in the same order) and `drivingOn` (what the worst one means for driving on); of a life that ends `age`, `clock`, `wornSharePct`, `medianDays`, `p10Days`, `p90Days` and `basis`."""
    incident: str
    """The `cause` of the incident that it belongs to."""


class EngineAlert(_EngineAlertRequired, total=False):
    code: str
    """The fault code, for an alert that comes from one, with its failure-type byte where it was sent: `C0035-64`."""


class EngineAliases(TypedDict):
    """The names that are mapped."""
    description: str
    aliases: dict[str, list[str]]
    """Standard field to its aliases."""


class EngineBatchInput(TypedDict):
    vehicles: Sequence[EngineInput]
    """At most 1000."""


class EngineBatchItemError(TypedDict):
    vehicleId: str | None
    """As given, where it was given."""
    error: EngineItemProblem


class EngineBatchOutput(TypedDict):
    """A prediction or an error for each input, in its place."""
    count: int
    """The number of inputs."""
    processingTimeMs: float
    predictions: list[EngineOutput | EngineBatchItemError]
    """One for each input, in its place."""


class _EngineEvidenceRequired(TypedDict):
    type: str
    component: Literal["engine", "cooling", "lubrication", "fuel", "transmission", "brakes", "battery", "charging", "intake", "emissions", "aftertreatment", "high_voltage", "chassis", "body", "network"]
    """Of the alert of this type."""
    severity: Literal["info", "low", "medium", "high", "critical"]
    """Of this piece of evidence."""
    message: str


class EngineEvidence(_EngineEvidenceRequired, total=False):
    code: str


class _EngineHealthRequired(TypedDict):
    status: str
    """`healthy` when up; `draining` while it stops."""
    version: str
    models_loaded: bool
    models_count: int
    uptime_seconds: float


class EngineHealth(_EngineHealthRequired, total=False):
    """The engine is up."""
    license: LicenseState


class EngineIncident(TypedDict):
    """Findings with one cause, which count once."""
    cause: str
    """One of a vehicle at a time, and the same from one prediction to the next."""
    component: Literal["engine", "cooling", "lubrication", "fuel", "transmission", "brakes", "battery", "charging", "intake", "emissions", "aftertreatment", "high_voltage", "chassis", "body", "network"]
    """The part it is about."""
    severity: Literal["info", "low", "medium", "high", "critical"]
    """Of the worst evidence."""
    title: str
    """A few words: what is wrong."""
    recommendation: str
    healthLost: float
    """Points that `healthScore` would gain if it were not there."""
    evidence: list[EngineEvidence]
    """The readings, codes and lamps that have this one cause: an alert each. The most specific come first, lamps last."""


class _EngineInputRequired(TypedDict):
    vehicleId: str
    """The only required field. Also: `vin`, `VIN`, `vehicle_id`, `fleet_id`, `asset_id`."""


class EngineInput(_EngineInputRequired, total=False):
    timestamp: str
    """RFC 3339 with an offset: when the vehicle read this. The time of receipt when left out."""
    engine_speed: float
    """Engine speed, RPM. Also: `rpm`, `engine_rpm`, `engineRPM`, `motor_speed`."""
    coolant: float
    """Coolant temperature, °C. Also: `coolant_temp`, `engine_temp`, `ect`, `water_temp`."""
    battery_voltage: float
    """Battery voltage, V. Also: `battery`, `bat_v`, `voltage`, `batt_voltage`."""
    fuel_level: float
    """Fuel level, %. Also: `fuel`, `tank`, `fuel_pct`, `tank_level`."""
    vehicleSpeed: float
    """Vehicle speed, km/h. Also: `speed`, `vehicle_speed`, `gps_speed`, `kph`."""
    engineOilTemp: float
    """Engine oil temperature, °C."""
    engineFuelTemp: float
    """Fuel temperature, °C."""
    obdDistance: float
    """Odometer, km. Also: `odometer`, `odo`, `mileage`, `total_km`, `distance`."""
    runTime: float
    """Run time since engine start, s."""
    current_gear: int
    """Current gear, gear."""
    fuel_consumption: float
    """Fuel consumption, L/100km."""
    ambient_air_temperature: float
    """Ambient air temperature, °C."""
    oil_pressure: float
    """Engine oil pressure, PSI."""
    throttle: float
    """Throttle position, %."""
    intake_air_temp: float
    """Intake air temperature, °C."""
    mil_lamp: Literal["LAMP_ON", "LAMP_OFF"]
    """Malfunction indicator lamp. Leave out when unknown."""
    red_stop_lamp: Literal["LAMP_ON", "LAMP_OFF"]
    """Red stop lamp. Leave out when unknown."""
    amber_warning_lamp: Literal["LAMP_ON", "LAMP_OFF"]
    """Amber warning lamp. Leave out when unknown."""
    protect_lamp: Literal["LAMP_ON", "LAMP_OFF"]
    """Protect lamp. Leave out when unknown."""
    dtc_codes: Sequence[str]
    """Active fault codes: SAE J2012 (`P0217`, with a failure-type byte `C0035-64`) or J1939 (`SPN 110 FMI 0`). Empty means there are none. Also: `dtc`, `fault_codes`, `faultCodes`, `error_codes`."""
    latitude: float
    """Degrees north. Not used for scoring."""
    longitude: float
    """Degrees east. Not used for scoring."""
    vehicleAgeDays: float
    """Days since first registration, where known."""
    vehicleClass: Literal["passenger", "van", "light_truck", "medium_truck", "heavy_truck", "bus", "motorcycle", "off_highway", "trailer", "other"]
    """Kind of vehicle; light, medium and heavy are GVWR classes 1 and 2, 3 to 6, 7 and 8. Without it class follows from J1939 fault codes, the VIN, a 24 V system, else a passenger car is assumed."""
    fuelType: Literal["petrol", "diesel", "cng", "lng", "lpg", "hybrid", "plug_in_hybrid", "electric", "hydrogen", "other"]
    """What it runs on. Without it electric vehicles are known by some VINs, else a combustion engine is assumed."""
    drivetrain: Literal["fwd", "rwd", "awd", "4x2", "4x4", "6x2", "6x4", "6x6", "8x4", "8x8", "other"]
    """Which wheels are driven. Not used for scoring."""
    batteryNominalV: Literal[12, 24, 48]
    """Nominal voltage of the starter battery, in volts. Readings that clearly show another one are judged by that."""
    vin: str
    """Vehicle identification number: its first three characters may show class and drive. Beside `vehicleId` it is only that, without one it is the id as well."""
    replacedParts: Sequence[ReplacedPart]
    """Parts that are not as old as the vehicle: their remaining life counts from there. Each with `odometerKm`, `replacedAt` or both."""
    previousHealthStatus: Literal["healthy", "warning", "critical"]
    """The `healthStatus` last reported of this vehicle; it is left for a better one only 3 points inside that one."""
    history: Sequence[EngineReading]
    """Earlier readings of the same vehicle, oldest first, each with its `timestamp`; those that name another vehicle are left out, and one that is there twice counts once. With it, also when empty, a condition must be seen to hold before it alerts; without it, every reading is taken as lasting."""


class EngineItemProblem(TypedDict):
    code: str
    message: str


class EngineLive(TypedDict):
    """The process runs."""
    status: str


class _EngineModelRequired(TypedDict):
    name: str
    type: str
    """`rules` and `weibull` come from knowledge; learned models name their kind."""
    version: str
    description: str
    source: str
    """Where its figures come from."""
    status: str
    """`serving`; `kept`: a newer version, or the folder, was refused and this one goes on; `failed`: it does not answer."""


class EngineModel(_EngineModelRequired, total=False):
    """Further keys are its metrics."""
    reason: str
    """Why it was kept or failed."""
    numbers: list[EngineNumber]
    """Of knowledge: every number that it judges by. A learned model has what it was trained on instead."""
    numbers_by_origin: dict[str, int]
    """How many of them have which origin."""


class _EngineModelsRequired(TypedDict):
    models: list[EngineModel]


class EngineModels(_EngineModelsRequired, total=False):
    """What answers predictions."""
    problem: str
    """Why the folder of models could not be read at the last look."""


class EngineNumber(TypedDict):
    """A number that decides what is reported, and where it comes from."""
    name: str
    """File, constant and, in a table, column, as the code has them."""
    value: float | str | list[float | str] | dict[str, float | str | list[float | str]]
    """A number, the word that stands for one, such as a severity, a list, or values by name."""
    unit: str
    origin: Literal["data", "literature", "benchmark", "assumption"]
    """`data`: measured on recordings at hand. `literature`: a maker, a manual, a standard or a book. `benchmark`: set or checked by the benchmark of quality. `assumption`: a judgement, whatever it is based on."""
    source: str
    """Which recording, which manual, or why it was judged so."""


class _EngineOutputRequired(TypedDict):
    vehicleId: str
    timestamp: str
    """Of the reading that was judged."""
    processingTimeMs: float
    predictions: EnginePredictions
    alerts: list[EngineAlert]
    """Worst first."""
    incidents: list[EngineIncident]
    """The alerts by their cause, worst first."""
    advice: dict[str, EngineAdvice]
    """What to do, for each component that something was found on or whose life is ending. A component that is not here runs on."""
    insights: list[str]
    """What was found and not found, with readings and thresholds."""
    recommendations: list[str]
    confidence: float
    """How much was reported, not how likely the answer is right. It rises with every valid field and with history."""
    components: dict[str, float]
    """Health of each component, 0 to 100. Engine, cooling, lubrication, fuel, transmission, brakes, battery, charging; intake, emissions, aftertreatment, high_voltage, chassis, body and network only when a code names them."""
    remainingUsefulLifeInterval: dict[str, list[float]]
    """Component to `[p10, p90]` in days."""
    missingFields: list[str]
    """Standard fields that would raise confidence."""
    modelVersion: str


class EngineOutput(_EngineOutputRequired, total=False):
    """The prediction."""
    _schemaMapping: SchemaMapping
    _validation: InputValidation


class EnginePredictions(TypedDict):
    healthScore: float
    """Near the worst component, never a mean."""
    healthStatus: Literal["healthy", "warning", "critical"]
    """At least 70, at least 40, below 40."""
    riskLevel: Literal["none", "low", "medium", "high"]
    """By `maintenanceProbability`: below 0.10, 0.35, 0.65, and above. Where something was found it rests on an assumption: how long parts last that show it. Neither that nor the life of parts was counted on any fleet."""
    maintenanceNeeded: bool
    maintenanceProbability: float
    """That some component needs work within 30 days, from published lives and what was found. Where something was found it rests on an assumption: how long parts last that show it. Neither that nor the life of parts was counted on any fleet."""
    remainingUsefulLife: dict[str, float]
    """Component to days, median."""
    remainingUsefulLifeInterval: dict[str, list[float]]
    """Component to `[p10, p90]` in days."""
    anomalyScore: float
    anomalyDetected: bool
    anomalyBasis: list[str]
    """Fields that `anomalyScore` was judged by. Empty where none could be judged: a score of 0 then means nothing."""
    components: dict[str, float]
    """Health of each component, 0 to 100. Engine, cooling, lubrication, fuel, transmission, brakes, battery, charging; intake, emissions, aftertreatment, high_voltage, chassis, body and network only when a code names them."""
    confidence: float
    """How much was reported, not how likely the answer is right. It rises with every valid field and with history."""
    componentConfidence: dict[str, float]
    """For each component of `remainingUsefulLife`, how well it is known: 0.1 where the interval is as wide as for a vehicle of which nothing is known, to 0.95 for one without any width. Where it follows from a finding, no more than the share of condition that the component has lost."""
    advice: dict[str, EngineAdvice]
    """What to do, for each component that something was found on or whose life is ending. A component that is not here runs on."""


class EngineReading(TypedDict, total=False):
    timestamp: str
    """RFC 3339 with an offset: when the vehicle read this. The time of receipt when left out."""
    engine_speed: float
    """Engine speed, RPM. Also: `rpm`, `engine_rpm`, `engineRPM`, `motor_speed`."""
    coolant: float
    """Coolant temperature, °C. Also: `coolant_temp`, `engine_temp`, `ect`, `water_temp`."""
    battery_voltage: float
    """Battery voltage, V. Also: `battery`, `bat_v`, `voltage`, `batt_voltage`."""
    fuel_level: float
    """Fuel level, %. Also: `fuel`, `tank`, `fuel_pct`, `tank_level`."""
    vehicleSpeed: float
    """Vehicle speed, km/h. Also: `speed`, `vehicle_speed`, `gps_speed`, `kph`."""
    engineOilTemp: float
    """Engine oil temperature, °C."""
    engineFuelTemp: float
    """Fuel temperature, °C."""
    obdDistance: float
    """Odometer, km. Also: `odometer`, `odo`, `mileage`, `total_km`, `distance`."""
    runTime: float
    """Run time since engine start, s."""
    current_gear: int
    """Current gear, gear."""
    fuel_consumption: float
    """Fuel consumption, L/100km."""
    ambient_air_temperature: float
    """Ambient air temperature, °C."""
    oil_pressure: float
    """Engine oil pressure, PSI."""
    throttle: float
    """Throttle position, %."""
    intake_air_temp: float
    """Intake air temperature, °C."""
    mil_lamp: Literal["LAMP_ON", "LAMP_OFF"]
    """Malfunction indicator lamp. Leave out when unknown."""
    red_stop_lamp: Literal["LAMP_ON", "LAMP_OFF"]
    """Red stop lamp. Leave out when unknown."""
    amber_warning_lamp: Literal["LAMP_ON", "LAMP_OFF"]
    """Amber warning lamp. Leave out when unknown."""
    protect_lamp: Literal["LAMP_ON", "LAMP_OFF"]
    """Protect lamp. Leave out when unknown."""
    dtc_codes: Sequence[str]
    """Active fault codes: SAE J2012 (`P0217`, with a failure-type byte `C0035-64`) or J1939 (`SPN 110 FMI 0`). Empty means there are none. Also: `dtc`, `fault_codes`, `faultCodes`, `error_codes`."""
    latitude: float
    """Degrees north. Not used for scoring."""
    longitude: float
    """Degrees east. Not used for scoring."""


class EngineStatistics(TypedDict):
    """Counts since the start."""
    total_processed: int
    """Predictions made since start, by this replica."""
    fully_standard: int
    """Of those, inputs that used standard names only."""
    required_mapping: int
    """Of those, inputs that used an alias."""
    standard_compliance_rate: float
    """Per cent."""


class EngineUnitSuggestion(TypedDict):
    """A unit that the sender should look at. Nothing was converted."""
    field: str
    """Standard name of the field."""
    unit: str
    """The unit of that field."""
    suspectedUnit: str
    """The unit it seems to be sent in."""
    value: float
    """As sent."""
    convertedValue: float
    """What that is in the unit of the field, if it was sent in the other one."""
    readings: int
    """Of this input and its history, those that show it."""
    reason: str
    """One sentence with the evidence."""


class _InferInputRequired(TypedDict):
    name: str
    """`features`."""
    shape: Sequence[int]
    """Rows and features."""
    datatype: Literal["FP32", "FP64", "INT8", "INT16", "INT32", "INT64", "UINT8", "UINT16", "UINT32", "UINT64"]


class InferInput(_InferInputRequired, total=False):
    parameters: InferInputParameters
    data: Sequence[float | None | Sequence[float | None]]
    """Row by row, flat or as an array of rows. `null` is a missing value."""


class InferInputParameters(TypedDict, total=False):
    binary_data_size: int
    """Bytes of this tensor behind the JSON, in the place of `data`."""


class _InferOutputRequired(TypedDict):
    name: str
    shape: list[int]
    datatype: Literal["FP64"]


class InferOutput(_InferOutputRequired, total=False):
    data: list[float | None]
    parameters: InferOutputParameters


class InferOutputParameters(TypedDict):
    binary_data_size: int


class _InferRequestRequired(TypedDict):
    inputs: Sequence[InferInput]


class InferRequest(_InferRequestRequired, total=False):
    id: str
    """Comes back with the answer."""
    parameters: InferRequestParameters
    outputs: Sequence[RequestedOutput]
    """Which outputs are wanted; all by default."""


class InferRequestParameters(TypedDict, total=False):
    binary_data_output: bool
    """Outputs as bytes behind the JSON, where the outputs do not choose."""


class _InferResponseRequired(TypedDict):
    model_name: str
    model_version: str
    outputs: list[InferOutput]


class InferResponse(_InferResponseRequired, total=False):
    """One output for each number that the model gives, one row for each row of the input."""
    id: str


class InputValidation(TypedDict):
    """Only when fields were dropped."""
    ignored: list[str]
    """Fields that were dropped; `history.` and the field where it was dropped from readings of `history`."""
    reasons: dict[str, str]
    """Field to why."""


JsonSchema: TypeAlias = "dict[str, Any]"
"""A JSON Schema, draft 2020-12."""


class _LicenseStateRequired(TypedDict):
    status: str
    """`valid`, `grace`, `expired`, `forged`, `missing` and the like."""
    message: str


class LicenseState(_LicenseStateRequired, total=False):
    """In the edition that asks for a licence."""
    expires_at: str


class ModelMetadata(TypedDict):
    """What the model takes and gives."""
    name: str
    versions: list[str]
    """The one version that is served."""
    platform: str
    inputs: list[TensorMetadata]
    outputs: list[TensorMetadata]
    parameters: ModelMetadataParameters


class ModelMetadataParameters(TypedDict):
    features: list[str]
    """What each column of the input is, in order."""
    created_at: str


class ModelReady(TypedDict):
    """The model takes requests."""
    name: str
    ready: bool


class _ReplacedPartRequired(TypedDict):
    component: str
    """`engine`, `cooling`, `fuel`, `transmission`, `brakes`, `battery` or `charging`; any other is left out and named in `_validation`."""


class ReplacedPart(_ReplacedPartRequired, total=False):
    odometerKm: float
    """What the odometer showed when the part was put in."""
    replacedAt: str
    """When the part was put in."""


class _RequestedOutputRequired(TypedDict):
    name: str


class RequestedOutput(_RequestedOutputRequired, total=False):
    parameters: RequestedOutputParameters


class RequestedOutputParameters(TypedDict, total=False):
    binary_data: bool


class _SchemaMappingRequired(TypedDict):
    autoMapped: bool
    mappedFields: dict[str, str]
    """Alias to standard name."""


class SchemaMapping(_SchemaMappingRequired, total=False):
    """Only when aliases were used, a key is not known, or a unit is doubted."""
    ignored: list[str]
    """Aliases whose field was there under another name too; the first of them where there are more."""
    unmapped: list[UnmappedField]
    """Keys that mean no field, those of `history` among them."""
    suggestions: list[EngineUnitSuggestion]
    """Fields whose unit seems to be another one."""


class ServerLive(TypedDict):
    """The process answers."""
    live: bool


class ServerMetadata(TypedDict):
    """What serves."""
    name: str
    version: str
    extensions: list[str]


class ServerReady(TypedDict):
    """It takes requests."""
    ready: bool


class TensorMetadata(TypedDict):
    name: str
    datatype: str
    shape: list[int]
    """-1 stands for any number of rows."""


class UnmappedField(TypedDict):
    field: str
    """The key as it was sent, cut after 128 characters."""
    closest: str | None
    """The standard field whose name is nearest, where one is near."""
