// What a gateway reports by itself. Nothing of it is read before its signature is verified, and its content is a hint: only a payment of exactly what
// was asked is booked from it, everything else has the gateway asked.

import { randomBytes } from 'node:crypto'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Sealer } from '@roadworthy/service-kit/process/sealed'
import { writeEvents } from '../events/outbox.ts'
import type { Attempt } from './attempt.ts'
import { isLive } from './attempt-states.ts'
import { selectAttemptOfConnectionAcrossResellers, updateAttempt } from './attempts.sql.ts'
import { selectConnectionForCallbackAcrossResellers, updateLastEvent } from './connections.sql.ts'
import { type StoredConnection, sealConnectionSecrets } from './gateway-connection.ts'
import { insertGatewayEvent } from './gateway-events.sql.ts'
import { type CallbackHeaders, type GatewayEvent, type GatewayId, gatewayIds } from './gateways/gateway.ts'
import { isId, openGateway, type PaymentDeps } from './payment-deps.ts'
import { paymentFailed } from './payment-events.ts'
import { scheduleAttempt, scheduleDispute, scheduleRefund } from './payment-schedule.ts'
import { recordCapture } from './record-capture.ts'
import { selectRefund } from './refunds.sql.ts'
import { RefusedCallbacks } from './refused-callbacks.ts'
import { type LockedAttempt, moveAttempt, withLockedAttempt } from './settle-attempt.ts'

export type Callback = {
  /** As in the path. */
  readonly gateway: string
  /** Absent: of the only connection of that gateway. */
  readonly connectionId: string | undefined
  readonly rawBody: Buffer
  readonly headers: CallbackHeaders
}

/** Resolves when everything in it is committed; the gateway repeats what was not. Throws `invalid_signature` alike for what does not exist. */
export type TakeCallback = (callback: Callback) => Promise<void>

export function createTakeCallback(deps: PaymentDeps): TakeCallback {
  const refused = new RefusedCallbacks(deps)
  const standIns = standInConnections(deps.sealer)
  return async ({ gateway, connectionId, rawBody, headers }) => {
    const gatewayId = gatewayIds.find((each) => each === gateway) ?? 'stripe'
    const asked = [gateway, connectionId ?? 'any'].every(isId) ? gateway : 'none'
    const askedId = connectionId !== undefined && !isId(connectionId) ? 'none' : connectionId
    const found = await selectConnectionForCallbackAcrossResellers(deps.database.systemPool, asked, askedId)
    // For what does not exist the same work is done, with secrets that nobody has.
    const connection = found ?? standIns[gatewayId]
    const verdict = openGateway(deps, connection).verifyCallback(rawBody, headers, deps.now())
    if (found === undefined) throw invalidSignature()
    if (!verdict.isAuthentic) {
      refused.note(found, verdict.refusal)
      if (verdict.refusal === 'malformed') throw new Problem('invalid_request', verdict.message)
      throw invalidSignature()
    }
    for (const event of verdict.events) await takeEvent(deps, found, event)
    await updateLastEvent(deps.database.tenantPool(found.resellerId), found, deps.now())
  }
}

const invalidSignature = () => new Problem('invalid_signature', 'The signature is not of this body and this connection, or too old.')

function standInConnections(sealer: Sealer): Readonly<Record<GatewayId, StoredConnection>> {
  const standIn = (gateway: GatewayId, apiSecret: string, keyId?: string): StoredConnection => {
    const place = { resellerId: '_operator', connectionId: 'gwc-00000000000000000000' }
    const secrets = { apiSecret, webhookSecrets: [{ secret: randomBytes(24).toString('hex') }] }
    const at = new Date(0)
    return {
      ...{ ...place, gateway, name: '', enabled: false, settings: keyId === undefined ? {} : { keyId }, revision: '' },
      ...{ secretsSealed: sealConnectionSecrets(sealer, place, secrets), createdAt: at, updatedAt: at },
      ...{ lastEventAt: undefined, refusedCount: 0, lastRefusedAt: undefined, lastRefusal: undefined, disputesListedUntil: undefined },
    }
  }
  return { stripe: standIn('stripe', 'sk_test_none'), razorpay: standIn('razorpay', 'none', 'rzp_test_none') }
}

async function takeEvent(deps: PaymentDeps, connection: StoredConnection, event: GatewayEvent): Promise<void> {
  if (event.kind === 'ignored') return
  // Of this connection only: another's attempt is as unknown as one that never was.
  const attempt = await selectAttemptOfConnectionAcrossResellers(deps.database.systemPool, connection.connectionId, event)
  if (attempt === undefined) {
    await takeUnknown(deps, connection, event)
    return
  }
  const mismatch = event.kind === 'checkout_paid' ? mismatchOf(attempt, event) : undefined
  await withLockedAttempt(deps, attempt, async (locked) => {
    const outcome = mismatch === undefined ? 'taken' : `refused: ${mismatch}`
    const isNew = await insertGatewayEvent(locked.db, { ...rowOf(connection, event, locked.at), outcome, attemptId: attempt.attemptId })
    if (!isNew) return
    if (mismatch === undefined) await follow(locked, event)
    else await followMismatch(locked, mismatch)
  })
  if (mismatch !== undefined) {
    const { attemptId, connectionId } = attempt
    deps.log.error({ attemptId, connectionId, eventId: event.eventId, mismatch }, 'a gateway reported a payment that is not what was asked')
  }
}

const rowOf = ({ resellerId, connectionId }: StoredConnection, { eventId, type }: GatewayEvent, receivedAt: Date) => ({
  ...{ resellerId, connectionId, eventId, kind: type, receivedAt },
})

/** The account may be used for other things than our invoices. A dispute may be reported before the payment that it is about. */
async function takeUnknown(deps: PaymentDeps, connection: StoredConnection, event: GatewayEvent): Promise<void> {
  const at = deps.now()
  await deps.database.tenant(connection.resellerId, async (db) => {
    const row = { ...rowOf(connection, event, at), outcome: 'refused: no such payment', attemptId: undefined }
    if (!(await insertGatewayEvent(db, row)) || !('dispute' in event)) return
    await scheduleDispute(
      db,
      { issuerId: connection.resellerId, connectionId: connection.connectionId, disputeRef: event.dispute.disputeRef },
      at,
    )
  })
  deps.log.warn(
    { connectionId: connection.connectionId, eventId: event.eventId, kind: event.type },
    'a gateway reported no payment of ours',
  )
}

type Paid = Extract<GatewayEvent, { kind: 'checkout_paid' }>

/** What of a payment that was reported is not what was asked. */
function mismatchOf(attempt: Attempt, { amountMinor, currency, gatewayRef }: Paid): string | undefined {
  if (gatewayRef !== undefined && attempt.gatewayRef !== undefined && gatewayRef !== attempt.gatewayRef) return 'another checkout'
  if (currency !== attempt.currency) return 'another currency'
  return amountMinor === attempt.amountMinor ? undefined : 'another amount'
}

async function follow(locked: LockedAttempt, event: GatewayEvent): Promise<void> {
  const { db, invoice, attempt, at } = locked
  switch (event.kind) {
    case 'checkout_paid':
      await recordCapture(db, invoice, attempt, { ...event, capturedAt: event.at }, at)
      await moveAttempt(locked, 'paid', attempt.gatewayRef === undefined ? { gatewayRef: event.gatewayRef } : {})
      await scheduleAttempt(db, attempt, at)
      break
    case 'payment_failed':
      await followFailure(locked, event)
      break
    case 'refund_updated':
      await followRefund(locked, event.refund?.refundId)
      break
    case 'dispute_opened':
    case 'dispute_updated':
    case 'dispute_closed':
      await scheduleDispute(db, { ...attempt, disputeRef: event.dispute.disputeRef }, at)
      break
    default:
      await scheduleAttempt(db, attempt, at)
  }
}

async function followFailure(
  { db, attempt, at }: LockedAttempt,
  { failure, isFinal }: { failure: string; isFinal: boolean },
): Promise<void> {
  if (!isLive(attempt.status)) return
  const failed = { ...attempt, failure, updatedAt: at }
  await updateAttempt(db, failed)
  // Whether it is over is asked; what is over is published then.
  if (isFinal) await scheduleAttempt(db, attempt, at)
  else await writeEvents(db, [paymentFailed(failed, { cause: 'declined', reason: failure, isFinal }, at)])
}

async function followRefund({ db, attempt, at }: LockedAttempt, refundId: string | undefined): Promise<void> {
  const refund = refundId === undefined ? undefined : await selectRefund(db, { resellerId: attempt.resellerId, refundId })
  if (refund?.attemptId === attempt.attemptId) await scheduleRefund(db, refund, at)
  // Somebody made it at the gateway.
  else await scheduleAttempt(db, attempt, at)
}

/** Nothing moves by it: the gateway is asked what it really has. */
async function followMismatch({ db, attempt, at }: LockedAttempt, mismatch: string): Promise<void> {
  const reason = `The gateway reported a payment of ${mismatch}; it is asked what it has.`
  await writeEvents(db, [paymentFailed(attempt, { cause: 'mismatch', reason, isFinal: false }, at)])
  await scheduleAttempt(db, attempt, at)
}
