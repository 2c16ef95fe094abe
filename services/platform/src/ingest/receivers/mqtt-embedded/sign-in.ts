// Whether a CONNECT is let in. Every refusal is one of the return codes of MQTT 3.1.1 §3.2.2.3; an unknown username, a wrong password and
// a device that may not speak get the same one, so nothing can be learned about which devices exist.

import { setTimeout as sleep } from 'node:timers/promises'
import { addressBlock } from '@roadworthy/service-kit/network/address-block'
import { parseMqttUsername } from '../../../devices/mqtt-identity.ts'
import type { FailureBan } from './failure-ban.ts'
import type { MqttLimits } from './limits.ts'
import type { DeviceIdentity } from './sessions.ts'
import { isClientId, type Sender } from './topics.ts'

export type SignInRefusal = 'identifier_rejected' | 'server_unavailable' | 'bad_credentials' | 'not_authorized'

export const connackCodes: Readonly<Record<SignInRefusal, 2 | 3 | 4 | 5>> = {
  identifier_rejected: 2,
  server_unavailable: 3,
  bad_credentials: 4,
  not_authorized: 5,
}

/**
 * Who somebody is that wants to connect, or why not, for the log. A wrong client id is distinguished only after the right password. Rejects
 * when it cannot decide because the store is away. Whoever has signed in may stay until `validUntil`.
 */
export type AuthenticateDevice = (attempt: {
  readonly username: string
  readonly password: string
  readonly clientId: string
}) => Promise<{ readonly device: DeviceIdentity; readonly validUntil?: Date | undefined } | { readonly refusal: string }>

/** Refusals of somebody who has the right password, and so may learn more than that they are refused. */
const refusalsOfTheRightful: Readonly<Record<string, SignInRefusal>> = {
  wrong_client_id: 'identifier_rejected',
  device_suspended: 'not_authorized',
  sub_client_suspended: 'not_authorized',
  subscription_required: 'not_authorized',
}

export type Attempt = {
  readonly clientId: string
  readonly username: string | undefined
  readonly password: Buffer | undefined
  readonly remoteAddress: string
  readonly hasWill: boolean
}

/** What can be decided without asking anybody. The client id is judged on its form alone, so the answer reveals nothing about devices. */
export function judgeAttempt(attempt: Attempt): SignInRefusal | Sender {
  if (!isClientId(attempt.clientId)) return 'identifier_rejected'
  if (attempt.hasWill) return 'not_authorized'
  return parseMqttUsername(attempt.username ?? '') ?? 'bad_credentials'
}

export type SignedIn = { readonly device: DeviceIdentity; readonly validUntil: Date | undefined }

/** Checks the credentials, and that the client id is the device's own: its id or its IMEI. Never throws. */
export async function checkCredentials(
  attempt: Attempt,
  deps: {
    authenticateDevice: AuthenticateDevice
    ban: FailureBan
    limits: Pick<MqttLimits, 'authenticateTimeoutMs'>
    nowMs: () => number
    onRefused: (reason: string) => void
    onStoreAway: (error: unknown) => void
  },
): Promise<SignInRefusal | SignedIn> {
  const { clientId, username = '', password = '' } = attempt
  const banKey = `${username} ${addressBlock(attempt.remoteAddress)}`
  if (deps.ban.isBanned(banKey, deps.nowMs())) return 'not_authorized'
  const timer = new AbortController()
  let answer: Awaited<ReturnType<AuthenticateDevice>>
  try {
    answer = await Promise.race([
      deps.authenticateDevice({ username, password: password.toString(), clientId }),
      sleep(deps.limits.authenticateTimeoutMs, undefined, { signal: timer.signal }).then(() => {
        throw new Error(`no answer about a device within ${deps.limits.authenticateTimeoutMs} ms`)
      }),
    ])
  } catch (error) {
    deps.onStoreAway(error)
    return 'server_unavailable'
  } finally {
    timer.abort()
  }
  if ('refusal' in answer) {
    deps.onRefused(answer.refusal)
    const refused = Object.hasOwn(refusalsOfTheRightful, answer.refusal) ? refusalsOfTheRightful[answer.refusal] : undefined
    if (refused !== undefined) return refused
    deps.ban.fail(banKey, deps.nowMs())
    return 'bad_credentials'
  }
  deps.ban.forget(banKey)
  const { device, validUntil } = answer
  return clientId === device.deviceId || clientId === device.imei ? { device, validUntil } : 'identifier_rejected'
}
