// Cisco IoT Control Center (Jasper) on the wire: what its REST API v1 answers, by its public documents (developer.cisco.com/docs/control-center),
// and what its words mean to us. Fields that are not named here are not looked at.

import { type Static, Type } from 'typebox'
import { ICCID_PATTERN, numberOrText, optionalNumber, optionalText, presentDigits, presentText, readInstant } from './answer-fields.ts'
import type { OperatorSim, SimStatus } from './operator.ts'
import { answerForm, type PlatformRefusal } from './operator-call.ts'
import { findIccid, type Row } from './sim-pages.ts'

const MAX_PAGE_SIZE = 50

/** What the list contains of a SIM; the rest is in the details. */
const DeviceRow = Type.Object({
  iccid: Type.String({ pattern: ICCID_PATTERN }),
  status: Type.String({ minLength: 1, maxLength: 64 }),
  ratePlan: optionalText(),
  communicationPlan: optionalText(),
})

const DeviceDetails = Type.Object({
  ...DeviceRow.properties,
  imsi: optionalText(),
  msisdn: optionalText(),
  imei: optionalText(),
  eid: optionalText(),
  dateActivated: optionalText(),
  dateUpdated: optionalText(),
  fixedIPAddress: optionalText(),
  fixedIpv6Address: optionalText(),
})
type DeviceDetails = Static<typeof DeviceDetails>

export const deviceListForm = answerForm(
  'the list of devices',
  Type.Object({
    pageNumber: Type.Integer({ minimum: 1 }),
    lastPage: Type.Boolean(),
    devices: Type.Array(Type.Unknown(), { maxItems: MAX_PAGE_SIZE }),
  }),
)
export const deviceForm = answerForm('the device', DeviceDetails)
export const editForm = answerForm('the answer to a change', Type.Object({ iccid: Type.String({ pattern: ICCID_PATTERN }) }))
export const echoForm = answerForm('the list of devices', Type.Object({ devices: Type.Array(Type.Unknown()) }))
const deviceRowForm = answerForm('it', DeviceRow)

export const usageForm = answerForm(
  'the usage',
  Type.Object({
    iccid: Type.String({ pattern: ICCID_PATTERN }),
    /** Null where the SIM has used nothing. */
    ctdDataUsage: Type.Union([numberOrText, Type.Null()]),
    ctdSMSUsage: optionalNumber,
    ctdSessionCount: optionalNumber,
  }),
)

const ZoneUsage = Type.Object({ dataUsage: optionalNumber, dataUsageUnit: optionalText(32) })
/** A SIM has few rate plans and zones in a cycle; an assumption with room. */
const MAX_ZONES = 500

export const zoneUsageForm = answerForm(
  'the usage by zone',
  Type.Object({
    iccid: Type.String({ pattern: ICCID_PATTERN }),
    cycleStartDate: optionalText(),
    /** By rate plan and its version. */
    deviceCycleUsageInZones: Type.Record(Type.String(), Type.Array(ZoneUsage, { maxItems: MAX_ZONES }), { maxProperties: MAX_ZONES }),
  }),
)

const AuditRecord = Type.Object({
  field: optionalText(),
  priorValue: optionalText(500),
  value: optionalText(500),
  effectiveDate: optionalText(),
  status: optionalText(),
})
export type AuditRecord = Static<typeof AuditRecord>

/** Newest first, by the documents. */
export const auditForm = answerForm(
  'the history',
  Type.Object({
    lastPage: Type.Boolean(),
    deviceAuditTrails: Type.Array(AuditRecord, { maxItems: MAX_PAGE_SIZE }),
  }),
)

/**
 * Written without separators and in capitals, because clients have seen both `ACTIVATION_READY` and `ACTIVATIONREADY`. A SIM that activates by
 * itself on its first use is still in the inventory until it does.
 */
const STATUS_OF_WORD: Readonly<Record<string, SimStatus>> = {
  TESTREADY: 'test',
  INVENTORY: 'inventory',
  ACTIVATIONREADY: 'inventory',
  ACTIVATED: 'active',
  DEACTIVATED: 'suspended',
  RETIRED: 'terminated',
  PURGED: 'terminated',
  REPLACED: 'terminated',
}

export function ciscoWord(text: string): string {
  return text.toUpperCase().replaceAll(/[^A-Z]/g, '')
}

/** A SIM that is deactivated on the plan for parking is in safe custody: Control Center has no such state. */
function ciscoStatus(word: string, ratePlan: string | undefined, parkingPlan: string | undefined): SimStatus | undefined {
  const key = ciscoWord(word)
  const status = Object.hasOwn(STATUS_OF_WORD, key) ? STATUS_OF_WORD[key] : undefined
  return status === 'suspended' && parkingPlan !== undefined && ratePlan === parkingPlan ? 'safe_custody' : status
}

/** A row of the list. Never throws. */
export function readDeviceRow(row: unknown, parkingPlan: string | undefined): Row {
  const iccid = findIccid(row, 'iccid')
  if (!deviceRowForm.check(row)) return { iccid, problem: deviceRowForm.problemOf(row) }
  return { iccid, sim: readDevice(row, parkingPlan) }
}

export function readDevice(row: DeviceDetails, parkingPlan: string | undefined): OperatorSim {
  const ratePlan = presentText(row.ratePlan)
  return {
    iccid: row.iccid,
    imsi: presentDigits(row.imsi, 14, 15),
    msisdn: presentDigits(row.msisdn, 5, 15),
    eid: presentDigits(row.eid, 32, 32),
    imei: presentDigits(row.imei, 14, 16),
    operatorStatus: presentText(row.status) ?? 'none',
    status: ciscoStatus(row.status, ratePlan, parkingPlan),
    isChanging: false,
    ratePlan,
    communicationPlan: presentText(row.communicationPlan),
    apn: undefined,
    ipAddress: presentText(row.fixedIPAddress) ?? presentText(row.fixedIpv6Address),
    activatedAt: readInstant(row.dateActivated),
    modifiedAt: readInstant(row.dateUpdated),
  }
}

/** `{errorMessage, errorCode}`, with any status. 10000001 is documented as invalid credentials. */
const INVALID_CREDENTIALS = '10000001'

export function readCiscoRefusal(body: unknown): PlatformRefusal | undefined {
  const { errorCode, errorMessage } = (body ?? {}) as { errorCode?: unknown; errorMessage?: unknown }
  const code = typeof errorCode === 'string' || typeof errorCode === 'number' ? String(errorCode) : undefined
  const message = typeof errorMessage === 'string' ? errorMessage : undefined
  if (code === undefined && message === undefined) return undefined
  return { code, message, kind: code === INVALID_CREDENTIALS ? 'auth' : undefined }
}
