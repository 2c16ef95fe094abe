import { createHash, timingSafeEqual } from 'node:crypto'
import { Problem } from '@roadworthy/service-kit/http/problem'
import { type Database, type Db, isUniqueViolation } from '@roadworthy/service-kit/postgres/db'
import type { Sealer } from '@roadworthy/service-kit/process/sealed'
import { newId } from '@roadworthy/service-kit/text/ids'
import { type Author, writeAudit } from '../audit/audit.ts'
import { requireDeviceRoom, requireWritableSubClient } from '../fleet/sub-client-access.ts'
import { createOrFindVehicle, type MarkDue, requireLinkableVehicle } from '../fleet/upsert-vehicle.ts'
import type { VehicleDescription } from '../fleet/vehicle.ts'
import type { Viewer } from '../fleet/viewer.ts'
import { upsertJob } from '../jobs/jobs.sql.ts'
import type { BrokerAccounts } from './broker-accounts.ts'
import { type Credentials, createCredentials } from './credentials.ts'
import { auditedDevice } from './device.ts'
import { DEVICE_CHANGED_JOB } from './device-jobs.ts'
import { comesWithToken, createDeviceToken } from './device-token.ts'
import { insertDeviceToken } from './device-tokens.sql.ts'
import { insertDevice, type NewDevice } from './devices.sql.ts'
import { insertRegistration, selectRegistrationByImei } from './registrations.sql.ts'

export type RegistrationRequest = Omit<NewDevice, 'deviceId' | 'vehicleId'> & {
  readonly vehicle:
    | ({ readonly mode: 'create' } & VehicleDescription)
    | { readonly mode: 'link'; readonly reference: string | undefined; readonly vin: string | undefined }
    | undefined
  /** Identifies the request for a replay: the same text for the same body. */
  readonly bodyText: string
}

export type Registration = Pick<NewDevice, 'deviceId' | 'status' | 'subClientId' | 'vehicleId'> &
  Pick<Credentials, 'password' | 'passwordHash'> & {
    /** Of a device that sends over HTTP without an API key. */
    readonly trackerToken: string | undefined
  }

export type RegisterDeps<Answer> = {
  readonly database: Database
  readonly sealer: Sealer
  readonly now: () => Date
  /** What the caller is returned, kept sealed for a repeat. */
  readonly toAnswer: (registration: Registration) => Answer
  /** Where accounts are kept at an external broker. */
  readonly brokerAccounts: BrokerAccounts | undefined
  /** Of a known vehicle that the registration describes further. */
  readonly markDue: MarkDue
  /** Who registers it, for the audit log. */
  readonly author: Author
}

/** How long a repeat of the same registration gets the same answer (Spec gap §2.2). */
export const REPLAY_MS = 24 * 3_600_000

/**
 * Registers a device, or answers a repeat of the same registration with the first answer. The IMEI is unique among the reseller's living
 * devices; of two registrations at once one wins, and the other is judged as a repeat of it.
 */
export async function registerDevice<Answer>(deps: RegisterDeps<Answer>, viewer: Viewer, request: RegistrationRequest): Promise<Answer> {
  assertNamed(request)
  const credentials = await createCredentials()
  const attempt = async () => {
    const { answer } = await deps.database.tenant(viewer.resellerId, (db) => registerOrReplay(db, deps, viewer, request, credentials))
    return answer
  }
  try {
    return await attempt()
  } catch (error) {
    if (!isUniqueViolation(error, 'devices_imei_key')) throw error
  }
  try {
    return await attempt()
  } catch (error) {
    throw isUniqueViolation(error, 'devices_imei_key') ? imeiIsTaken() : error
  }
}

export function assertNamed({ name, imei }: RegistrationRequest): void {
  if (name !== undefined || imei !== undefined) return
  throw new Problem('invalid_request', 'A device needs a "name" or an "imei".', { details: { in: 'body', field: 'imei' } })
}

/** Within the caller's transaction. A unique violation of `devices_imei_key` means that another registration of the IMEI came first. */
export async function registerOrReplay<Answer>(
  db: Db,
  deps: RegisterDeps<Answer>,
  viewer: Viewer,
  request: RegistrationRequest,
  credentials: Credentials,
): Promise<{ answer: Answer; isRepeat: boolean }> {
  const bodySha256 = createHash('sha256').update(request.bodyText).digest()
  if (request.imei !== undefined) {
    const answer = await findAnswerToRepeat<Answer>(db, deps, viewer, request.imei, bodySha256)
    if (answer !== undefined) return { answer, isRepeat: true }
  }
  const subClientId = request.subClientId ?? viewer.subClientPin
  if (subClientId !== undefined) {
    await requireWritableSubClient(db, viewer, subClientId)
    await requireDeviceRoom(db, viewer.resellerId, subClientId)
  }

  const createdAt = deps.now()
  const vehicleId = await resolveVehicle(db, deps, viewer, request.vehicle, subClientId)
  const device = { ...request, deviceId: newId('dev'), subClientId, vehicleId }
  await insertDevice(db, viewer.resellerId, device, credentials, createdAt)
  const trackerToken = await issueFirstToken(db, viewer.resellerId, device, createdAt)
  await deps.brokerAccounts?.setPassword(
    db,
    { resellerId: viewer.resellerId, deviceId: device.deviceId },
    { password: credentials.password, status: device.status },
    createdAt,
  )
  if (device.simNumber !== undefined) {
    await upsertJob(db, { resellerId: viewer.resellerId, kind: DEVICE_CHANGED_JOB, key: device.deviceId }, createdAt)
  }
  await writeAudit(db, deps.author, { action: 'device.registered', objectId: device.deviceId, subClientId, after: auditedDevice(device) })

  const { password, passwordHash } = credentials
  const { deviceId, status } = device
  const answer = deps.toAnswer({ deviceId, status, subClientId, vehicleId, password, passwordHash, trackerToken })
  if (device.imei !== undefined) {
    const sealedAnswer = deps.sealer.seal(JSON.stringify(answer), sealContext(viewer.resellerId, device.deviceId))
    await insertRegistration(db, viewer.resellerId, device.deviceId, { bodySha256, sealedAnswer, createdAt })
  }
  return { answer, isRepeat: false }
}

async function issueFirstToken(
  db: Db,
  resellerId: string,
  { deviceId, connectionMethod }: NewDevice,
  createdAt: Date,
): Promise<string | undefined> {
  if (!comesWithToken(connectionMethod)) return undefined
  const { token, tokenSha256 } = createDeviceToken()
  await insertDeviceToken(db, { resellerId, deviceId }, tokenSha256, createdAt)
  return token
}

async function findAnswerToRepeat<Answer>(
  db: Db,
  { sealer, now, author }: RegisterDeps<Answer>,
  viewer: Viewer,
  imei: string,
  bodySha256: Buffer,
): Promise<Answer | undefined> {
  const living = await selectRegistrationByImei(db, viewer.resellerId, imei)
  if (living === undefined) return undefined
  const { deviceId, subClientId, kept } = living
  const isVisible = viewer.subClientPin === undefined || viewer.subClientPin === subClientId
  const isFresh = kept !== undefined && now().getTime() - kept.createdAt.getTime() < REPLAY_MS
  if (!isVisible || !isFresh || !timingSafeEqual(kept.bodySha256, bodySha256)) throw imeiIsTaken()
  // The answer shows the credentials again.
  await writeAudit(db, author, { action: 'device.registration_repeated', objectId: deviceId, subClientId })
  return JSON.parse(sealer.open(kept.sealedAnswer, sealContext(viewer.resellerId, deviceId))) as Answer
}

async function resolveVehicle(
  db: Db,
  { now, markDue }: Pick<RegisterDeps<unknown>, 'now' | 'markDue'>,
  viewer: Viewer,
  vehicle: RegistrationRequest['vehicle'],
  subClientId: string | undefined,
): Promise<string | undefined> {
  if (vehicle === undefined) return undefined
  if (vehicle.mode === 'create') return await createOrFindVehicle(db, viewer, vehicle, subClientId, now(), markDue)
  if (vehicle.reference === undefined && vehicle.vin === undefined) {
    throw new Problem('invalid_request', 'To link a vehicle, give its "vehicle_id" or "vin".', {
      details: { in: 'body', field: 'vehicle' },
    })
  }
  return await requireLinkableVehicle(db, viewer, vehicle, subClientId)
}

function sealContext(resellerId: string, deviceId: string): string {
  return `${resellerId}/${deviceId}`
}

export function imeiIsTaken(): Problem {
  return new Problem('device_exists', 'A device with this IMEI is registered already.', { details: { field: 'imei' } })
}
