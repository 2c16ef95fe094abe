// Opens the checkout of an attempt whose row is committed. The attempt's id is the gateway's key, and what is asked is stored, so that whoever repeats it
// after a crash asks for the same and gets the same checkout.

import { setTimeout as delay } from 'node:timers/promises'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Attempt } from './attempt.ts'
import { claimOpening, releaseOpening, selectAttempt } from './attempts.sql.ts'
import { GatewayError, type OpenedCheckout } from './gateways/gateway.ts'
import { findGateway, type PaymentDeps } from './payment-deps.ts'
import { scheduleAttempt } from './payment-schedule.ts'
import { moveAttempt, settleSnapshot, withLockedAttempt } from './settle-attempt.ts'

/** An adapter gives up after 20 s; some ask twice. */
const OPENING_MS = 25_000
/** Longer than anybody is at it. Of a process that was killed, another one does it after this. */
const CLAIM_MS = 30_000
const POLL_MS = 250
const RETRY_AFTER_S = 5

const busy = (message: string) => new Problem('unavailable', message, { retryAfterS: RETRY_AFTER_S })

const isRefused = (error: unknown) => error instanceof GatewayError && error.kind === 'auth'
/** Asking again is of no use until somebody has corrected them. */
const refusedCredentials = () =>
  new Problem('conflict', 'The payment gateway refuses our credentials: the issuer of the invoice has to correct the gateway connection.')

/** As it is once its checkout is open, or it turned out that there will be none. Of many that ask at once, one asks the gateway. */
export async function openOrWait(deps: PaymentDeps, attempt: Attempt): Promise<Attempt> {
  const db = deps.database.tenantPool(attempt.resellerId)
  const signal = AbortSignal.timeout(OPENING_MS)
  let current = attempt
  while (current.status === 'created') {
    if (signal.aborted) throw busy('The payment gateway takes its time. Ask again: it is the same payment.')
    if (await claimOpening(db, current, CLAIM_MS)) return await openClaimed(deps, current, signal)
    await delay(POLL_MS)
    current = (await selectAttempt(db, attempt)) ?? current
  }
  return current
}

/** By whoever holds the claim. Throws `unavailable` when nobody knows what came of it; the attempt stays as it is then. */
export async function openClaimed(deps: PaymentDeps, attempt: Attempt, signal: AbortSignal): Promise<Attempt> {
  const gateway = await findGateway(deps, attempt)
  if (gateway === undefined) return await refuse(deps, attempt, 'The connection to the payment gateway was deleted.')
  let opened: OpenedCheckout
  try {
    opened = await gateway.openCheckout(attempt, signal)
  } catch (error) {
    if (error instanceof GatewayError && error.kind === 'rejected') return await refuse(deps, attempt, error.message)
    deps.log.warn({ err: error, attemptId: attempt.attemptId }, 'a checkout could not be opened; it is tried again')
    await releaseOpening(deps.database.tenantPool(attempt.resellerId), attempt)
    throw isRefused(error) ? refusedCredentials() : busy('The payment gateway did not answer. Ask again: it is the same payment.')
  }
  return await storeOpened(deps, attempt, opened)
}

async function storeOpened(deps: PaymentDeps, key: Attempt, { gatewayRef, checkoutUrl, expiresAt }: OpenedCheckout): Promise<Attempt> {
  return await withLockedAttempt(deps, key, async (locked) => {
    const { db, attempt, at } = locked
    // It ended meanwhile, or it is no longer open at the gateway: that is looked into before anybody is sent there.
    if (attempt.status !== 'created' || checkoutUrl === undefined) await scheduleAttempt(db, attempt, at)
    return await moveAttempt(locked, 'pending', { gatewayRef: attempt.gatewayRef ?? gatewayRef, checkoutUrl, expiresAt })
  })
}

async function refuse(deps: PaymentDeps, key: Attempt, failure: string): Promise<Attempt> {
  return await withLockedAttempt(deps, key, (locked) => moveAttempt(locked, 'failed', { failure }))
}

/**
 * Ends an attempt so that another may take its place, if the gateway reports that it can: returns what it is then, which may be paid. Throws `unavailable`
 * when the gateway does not report it.
 */
export async function endAttempt(deps: PaymentDeps, attempt: Attempt, signal: AbortSignal): Promise<Attempt> {
  const gateway = await findGateway(deps, attempt)
  if (gateway === undefined) throw new Error(`the connection of ${attempt.attemptId} is gone`)
  try {
    if (attempt.gatewayRef !== undefined)
      return await settleSnapshot(deps, attempt, await gateway.expireCheckout(attempt.gatewayRef, signal))
    // Whoever is at opening it may yet succeed.
    if (!(await claimOpening(deps.database.tenantPool(attempt.resellerId), attempt, CLAIM_MS)))
      throw busy('Another payment of this invoice is being opened.')
    const found = await gateway.findAttempt(attempt.attemptId, attempt.createdAt, signal)
    if (found !== undefined) return await settleSnapshot(deps, attempt, await gateway.expireCheckout(found.gatewayRef, signal))
    return await withLockedAttempt(deps, attempt, (locked) => moveAttempt(locked, 'expired', {}))
  } catch (error) {
    if (!(error instanceof GatewayError) && !signal.aborted) throw error
    deps.log.warn({ err: error, attemptId: attempt.attemptId }, 'a checkout could not be ended; it is tried again')
    throw isRefused(error) ? refusedCredentials() : busy('The payment gateway did not answer. Ask again.')
  }
}
