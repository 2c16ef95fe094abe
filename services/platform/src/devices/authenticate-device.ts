// Whether somebody who connects to the broker is the device it claims to be.

import { timingSafeEqual } from 'node:crypto'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { isServed } from '../limits/plans.ts'
import { sha256 } from './credentials.ts'
import type { LivingDevice } from './device.ts'
import { type DeviceLogin, selectDeviceLoginsAcrossResellers } from './device-logins.sql.ts'
import type { DeviceLogins } from './device-logins.ts'
import { mqttUsername, parseMqttUsername } from './mqtt-identity.ts'

export type DeviceIdentity = LivingDevice & { readonly resellerId: string }

/** For the log: whoever connects learns only that it was refused. */
export type DeviceRefusal =
  | 'malformed_username'
  | 'unknown_device'
  | 'wrong_password'
  | 'wrong_client_id'
  | 'device_decommissioned'
  | 'device_suspended'
  | 'sub_client_suspended'
  | 'subscription_required'

/** Compared with when there is no device, so that an unknown one takes as long to refuse. */
const NOBODY = Buffer.alloc(32)

/** `validUntil` is when what it proved itself with ends: the secret before the last rotation. Rejects when the database is away; then nobody may be let in and nobody get the answer that the password is wrong. */
export async function authenticateDevice(
  logins: DeviceLogins,
  { username, password, clientId }: { username: string; password: string | Buffer; clientId: string },
  now: Date,
): Promise<{ device: DeviceIdentity; validUntil: Date | undefined } | { refusal: DeviceRefusal }> {
  const name = parseMqttUsername(username)
  if (name === undefined) return { refusal: 'malformed_username' }
  const login = await logins.find(username)
  const proof = verifyPassword(login, sha256(password), now)
  if (login === undefined) return { refusal: 'unknown_device' }
  const { status, imei, deviceId, subClientId, vehicleId } = login
  // A decommissioned device has no secret left to compare with.
  if (status === 'decommissioned') return { refusal: 'device_decommissioned' }
  if (proof === undefined) return { refusal: 'wrong_password' }
  if (clientId !== deviceId && (imei === undefined || clientId !== imei)) return { refusal: 'wrong_client_id' }
  const refusal = standingRefusal(login)
  if (refusal !== undefined) return { refusal }
  return { device: { resellerId: name.resellerId, deviceId, imei, status, subClientId, vehicleId }, validUntil: proof.validUntil }
}

/** Who signed in at some time, and the SHA-256 of what it proved itself with. */
export type SignedInDevice = { readonly resellerId: string; readonly deviceId: string; readonly secretSha256: Buffer }

/**
 * Of devices that are signed in, those that have to sign in again: they would not be let in any more, or their secret is another now (the one
 * before may let them in until its grace ends). Rejects when the database is away.
 */
export async function findOutdatedDevices(database: Database, signedIn: readonly SignedInDevice[]): Promise<Set<string>> {
  const logins = await selectDeviceLoginsAcrossResellers(database.systemPool, signedIn)
  const outdated = signedIn.filter(({ resellerId, deviceId, secretSha256 }) => {
    const login = logins.get(mqttUsername(resellerId, deviceId))
    if (login === undefined || login.status === 'decommissioned' || standingRefusal(login) !== undefined) return true
    return !timingSafeEqual(login.secretSha256 ?? NOBODY, secretSha256)
  })
  return new Set(outdated.map(({ deviceId }) => deviceId))
}

function standingRefusal({ status, subscription, subClientStatus }: DeviceLogin): DeviceRefusal | undefined {
  if (status === 'suspended') return 'device_suspended'
  if (subClientStatus !== undefined && subClientStatus !== 'active') return 'sub_client_suspended'
  return isServed(subscription) ? undefined : 'subscription_required'
}

function verifyPassword(login: DeviceLogin | undefined, given: Buffer, now: Date): { validUntil: Date | undefined } | undefined {
  const isCurrent = timingSafeEqual(login?.secretSha256 ?? NOBODY, given)
  const isPrevious = timingSafeEqual(login?.previousSecretSha256 ?? NOBODY, given)
  if (isCurrent) return { validUntil: undefined }
  const until = login?.previousSecretUntil
  return isPrevious && until !== undefined && now < until ? { validUntil: until } : undefined
}
