// Whether somebody who connects to the broker is the device it says it is.

import { timingSafeEqual } from 'node:crypto'
import type { Database } from '@roadworthy/service-kit/db'
import { isServed } from '../access/plans.ts'
import { sha256 } from './credentials.ts'
import type { LivingDevice } from './device.ts'
import { type DeviceLogin, selectDeviceLoginAcrossResellers } from './device-logins.sql.ts'
import { parseMqttUsername } from './mqtt-identity.ts'

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

/** `validUntil` is when what it proved itself with ends: the secret before the last rotation. Rejects when the database is away; then nobody may be let in and nobody be told that the password is wrong. */
export async function authenticateDevice(
  database: Database,
  { username, password, clientId }: { username: string; password: string | Buffer; clientId: string },
  now: Date,
): Promise<{ device: DeviceIdentity; validUntil: Date | undefined } | { refusal: DeviceRefusal }> {
  const name = parseMqttUsername(username)
  if (name === undefined) return { refusal: 'malformed_username' }
  const login = await selectDeviceLoginAcrossResellers(database.systemPool, name.resellerId, name.deviceId)
  const proof = verifyPassword(login, sha256(password), now)
  if (login === undefined) return { refusal: 'unknown_device' }
  const { status, subscription, subClientStatus, imei, deviceId, subClientId, vehicleId } = login
  // A decommissioned device has no secret left to compare with.
  if (status === 'decommissioned') return { refusal: 'device_decommissioned' }
  if (proof === undefined) return { refusal: 'wrong_password' }
  if (clientId !== deviceId && (imei === undefined || clientId !== imei)) return { refusal: 'wrong_client_id' }
  if (status === 'suspended') return { refusal: 'device_suspended' }
  if (subClientStatus !== undefined && subClientStatus !== 'active') return { refusal: 'sub_client_suspended' }
  if (!isServed(subscription)) return { refusal: 'subscription_required' }
  return { device: { resellerId: name.resellerId, deviceId, imei, status, subClientId, vehicleId }, validUntil: proof.validUntil }
}

function verifyPassword(login: DeviceLogin | undefined, given: Buffer, now: Date): { validUntil: Date | undefined } | undefined {
  const isCurrent = timingSafeEqual(login?.secretSha256 ?? NOBODY, given)
  const isPrevious = timingSafeEqual(login?.previousSecretSha256 ?? NOBODY, given)
  if (isCurrent) return { validUntil: undefined }
  const until = login?.previousSecretUntil
  return isPrevious && until !== undefined && now < until ? { validUntil: until } : undefined
}
