// Goal: the types that are made from the OpenAPI documents are those that the contracts describe. Method: `Static` of contracts of every surface
// and the generated type of the same thing, assigned to it with the same fields, which the compiler checks (`npm run types`); the run checks nothing.
// Not here: readings, whose sensor keys the contracts put together at run time, so that `Static` does not know them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EngineBatchOutput, EngineOutput, EnginePredictions } from '@roadworthy/contracts/engine-v1/output'
import type { EngineHealth, EngineStatistics } from '@roadworthy/contracts/engine-v1/status'
import type { Device, DeviceRegister, DeviceRegistered, DeviceUpdate } from '@roadworthy/contracts/external/devices'
import type { ExternalHealth } from '@roadworthy/contracts/external/health'
import type { Location } from '@roadworthy/contracts/external/locations'
import type { PredictAnswer } from '@roadworthy/contracts/external/predictions'
import type { SubClient, SubClientCreate, SubClientUpdate } from '@roadworthy/contracts/external/sub-clients'
import type { BatchAccepted, StoredReading, TelemetryAccepted } from '@roadworthy/contracts/external/telemetry'
import type { UsageReport } from '@roadworthy/contracts/external/usage'
import type { Vehicle, VehicleUpdate, VehicleUpsert } from '@roadworthy/contracts/external/vehicles'
import type { MqttErrorReport } from '@roadworthy/contracts/mqtt/error-report'
import type { Alert } from '@roadworthy/contracts/platform-v1/alerts'
import type { Incident, IncidentChange } from '@roadworthy/contracts/platform-v1/incidents'
import type { VehicleChange } from '@roadworthy/contracts/platform-v1/live'
import type { Position } from '@roadworthy/contracts/platform-v1/positions'
import type * as PlatformVehicles from '@roadworthy/contracts/platform-v1/vehicles'
import type { CreateWebhookRequest, Webhook, WebhookDeliveryDetail } from '@roadworthy/contracts/platform-v1/webhooks'
import type { Invoice, InvoiceSummary } from '@roadworthy/contracts/sim-billing/invoices'
import type { Sim, SimCreate, SimUpdate } from '@roadworthy/contracts/sim-billing/sims'
import type { EventPayload, EventType } from '@roadworthy/contracts/webhooks/events'
import type * as Engine from '../../packages/client/src/generated/engine-types.ts'
import type * as External from '../../packages/client/src/generated/external-types.ts'
import type * as Platform from '../../packages/client/src/generated/platform-types.ts'
import type * as Published from '../../packages/client/src/generated/published-types.ts'
import type * as SimBilling from '../../packages/client/src/generated/sim-billing-types.ts'

/** Without `readonly`, and without the `undefined` that the client's types take for a field that is left out. */
type Plain<T> = T extends readonly (infer Item)[]
  ? number extends T['length']
    ? Plain<Item>[]
    : { -readonly [Key in keyof T]: Plain<T[Key]> }
  : T extends object
    ? { -readonly [Key in keyof T]: Plain<Exclude<T[Key], undefined>> }
    : T
/** The client's type is the more exact one: of an interval it knows the length, of a nullable enum the values. So it is assigned to the contract's. */
type Fits<Contract, Generated> = [Plain<Generated>] extends [Plain<Contract>]
  ? [keyof Contract, keyof Generated] extends [keyof Generated, keyof Contract]
    ? true
    : 'one has fields that the other has not'
  : 'the client is wider'

/** `true` where it fits; anything else does not compile. */
const compared: Readonly<Record<string, true>> = {
  Device: true as Fits<Device, External.Device>,
  DeviceRegister: true as Fits<DeviceRegister, External.DeviceRegister>,
  DeviceRegistered: true as Fits<DeviceRegistered, External.DeviceRegistered>,
  DeviceUpdate: true as Fits<DeviceUpdate, External.DeviceUpdate>,
  ExternalHealth: true as Fits<ExternalHealth, External.ExternalHealth>,
  Location: true as Fits<Location, External.Location>,
  PredictAnswer: true as Fits<PredictAnswer, External.PredictAnswer>,
  SubClient: true as Fits<SubClient, External.SubClient>,
  SubClientCreate: true as Fits<SubClientCreate, External.SubClientCreate>,
  SubClientUpdate: true as Fits<SubClientUpdate, External.SubClientUpdate>,
  BatchAccepted: true as Fits<BatchAccepted, External.BatchAccepted>,
  StoredReading: true as Fits<StoredReading, External.StoredReading>,
  TelemetryAccepted: true as Fits<TelemetryAccepted, External.TelemetryAccepted>,
  UsageReport: true as Fits<UsageReport, External.UsageReport>,
  Vehicle: true as Fits<Vehicle, External.Vehicle>,
  VehicleUpdate: true as Fits<VehicleUpdate, External.VehicleUpdate>,
  VehicleUpsert: true as Fits<VehicleUpsert, External.VehicleUpsert>,
  Alert: true as Fits<Alert, Platform.Alert>,
  Incident: true as Fits<Incident, Platform.Incident>,
  IncidentChange: true as Fits<IncidentChange, Platform.IncidentChange>,
  CreateWebhookRequest: true as Fits<CreateWebhookRequest, Platform.CreateWebhookRequest>,
  Webhook: true as Fits<Webhook, Platform.Webhook>,
  WebhookDeliveryDetail: true as Fits<WebhookDeliveryDetail, Platform.WebhookDeliveryDetail>,
  Invoice: true as Fits<Invoice, SimBilling.Invoice>,
  InvoiceSummary: true as Fits<InvoiceSummary, SimBilling.InvoiceSummary>,
  Sim: true as Fits<Sim, SimBilling.Sim>,
  SimCreate: true as Fits<SimCreate, SimBilling.SimCreate>,
  SimUpdate: true as Fits<SimUpdate, SimBilling.SimUpdate>,
  EngineBatchOutput: true as Fits<EngineBatchOutput, Engine.EngineBatchOutput>,
  EngineOutput: true as Fits<EngineOutput, Engine.EngineOutput>,
  EnginePredictions: true as Fits<EnginePredictions, Engine.EnginePredictions>,
  EngineHealth: true as Fits<EngineHealth, Engine.EngineHealth>,
  EngineStatistics: true as Fits<EngineStatistics, Engine.EngineStatistics>,
  MqttErrorReport: true as Fits<MqttErrorReport, Published.MqttErrorReport>,
  VehicleChange: true as Fits<VehicleChange, Published.VehicleChange>,
  Position: true as Fits<Position, Published.Position>,
  'Platform Vehicle': true as Fits<PlatformVehicles.Vehicle, Platform.Vehicle>,
  'Platform VehicleChange': true as Fits<PlatformVehicles.VehicleChange, Platform.VehicleChange>,
  'Platform Health': true as Fits<PlatformVehicles.Health, Platform.Health>,
  'Platform HealthPoint': true as Fits<PlatformVehicles.HealthPoint, Platform.HealthPoint>,
  'Platform FaultCode': true as Fits<PlatformVehicles.FaultCode, Platform.FaultCode>,
}
const eventsCompared: { readonly [Type in EventType]: Fits<EventPayload<Type>, Published.EventPayloads[Type]> } extends Readonly<
  Record<EventType, true>
>
  ? true
  : false = true
const typesOfEvents: [EventType, Published.EventType] extends [Published.EventType, EventType] ? true : false = true

test('contracts of every surface, and every event, are compared by the compiler', () => {
  assert.ok(Object.keys(compared).length > 35 && eventsCompared && typesOfEvents)
})
