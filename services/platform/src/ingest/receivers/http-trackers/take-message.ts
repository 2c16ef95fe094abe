// A message of a device that is known by its token: whose it is, whether more may come now, and what became of it. The same for every format.

import { Problem } from '@roadworthy/service-kit/http/problem'
import { SteadyRate } from '@roadworthy/service-kit/pacing/steady-rate'
import type { FastifyRequest } from 'fastify'
import { refusalOfHolder, type TokenHolders } from '../../../devices/token-holders.ts'
import type { CallToCount } from '../../../limits/usage.ts'
import type { Receiver } from '../../../readings/seen-message.ts'
import type { Inbound, Ingest } from '../../inbound.ts'
import type { TrackerReading } from './tracker-reading.ts'

export type TrackerDeps = {
  readonly ingest: Ingest
  readonly access: {
    readonly deviceTokens: Pick<TokenHolders, 'find'>
    /** What to answer a credential that lets nobody in, from this address. */
    refuseCredential(address: string, otherwise: Problem): Problem
    callOfDevice(resellerId: string, subClientId: string | undefined): CallToCount
  }
  readonly now: () => Date
}

/**
 * Of one device. Torque sends each second at most; a phone that was out of reach sends what it kept, one position after the other. As fast as a
 * connection of a phone carries them, a day of positions is through within five minutes. Assumption.
 */
const MESSAGES_PER_MINUTE = 600

export type Message = {
  readonly receiver: Receiver
  readonly readings: readonly TrackerReading[]
  /** As it was sent, without the token, for those who look at messages. */
  readonly sent: unknown
}

export class TrackerReceiver {
  readonly #deps: TrackerDeps
  readonly #rate = new SteadyRate({ perMinute: MESSAGES_PER_MINUTE })

  constructor(deps: TrackerDeps) {
    this.#deps = deps
  }

  /**
   * Resolves after COMMIT, with the refusal that repeating the message cannot change. Throws every other one, for which the device sends it again:
   * nobody is known by this token, nothing is taken of the device at present, the store is away.
   */
  async take(request: FastifyRequest, token: string | undefined, read: () => Message): Promise<Problem | undefined> {
    const { ingest, access, now } = this.#deps
    const holder = token === undefined || token === '' ? undefined : await access.deviceTokens.find(token)
    if (holder === undefined) throw access.refuseCredential(request.ip, unknownToken(token))
    const refusal = refusalOfHolder(holder)
    if (refusal !== undefined) throw refusal
    const waitMs = this.#rate.takeOrWaitMs(holder.deviceId, now().getTime())
    if (waitMs > 0) throw new Problem('rate_limit_exceeded', TOO_MANY, { retryAfterS: waitMs / 1000 })
    const { readings, receiver, sent } = read()
    const { resellerId, deviceId, subClientId } = holder
    const batch = readings.map((reading) => ({ ...inboundOf(reading, receiver, sent), resellerId, senderDeviceId: deviceId }))
    const call = access.callOfDevice(resellerId, subClientId)
    if (batch.length === 0) {
      await call.write()
      return undefined
    }
    const outcomes = await ingest(batch, undefined, { byIndex: true, call })
    const problems = outcomes.flatMap((outcome) => (outcome.status === 'refused' ? [outcome.problem] : []))
    const passing = problems.find(({ code }) => code !== 'invalid_request')
    if (passing !== undefined) throw passing
    return problems[0]
  }
}

const TOO_MANY = `More than ${MESSAGES_PER_MINUTE} messages of this device in a minute.`

/** Spec gap §2.4: readings may hold a position, sensors or both, and are handed on as telemetry, as over MQTT. */
export function inboundOf(
  { record, unread, unnamedCount }: TrackerReading,
  receiver: Receiver,
  sent: unknown,
): Omit<Inbound, 'resellerId'> {
  return { kind: 'telemetry', record, receiver, sent, unread: { keys: unread, unnamedCount } }
}

function unknownToken(token: string | undefined): Problem {
  return token === undefined || token === ''
    ? new Problem('invalid_api_key', 'No token of a device came with this message.', { details: { reason: 'missing' } })
    : new Problem('invalid_api_key', 'The token is not valid: it is unknown, replaced or revoked.', { details: { reason: 'not_valid' } })
}
