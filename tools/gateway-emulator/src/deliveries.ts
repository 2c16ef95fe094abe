// Webhooks go out one after the other, each again after a growing wait until its merchant answers 2xx.

import { createHmac } from 'node:crypto'
import type { Delivery } from './state.ts'
import { accountOf, type World } from './world.ts'

/** Much shorter than the gateways' own hours, so that a demo that was stopped gets its webhooks soon after it is back. */
export const DEFAULT_RETRY_DELAYS_MS: readonly number[] = [1_000, 3_000, 10_000, 30_000, 60_000, 300_000, 900_000, 3_600_000]
const ANSWER_WITHIN_MS = 10_000
const STALE_S = 3_600
const FORGED_SECRET = 'whsec_of_somebody_else_entirely'

export type Deliverer = {
  /** Sends what is due, if it is not at it already. */
  wake(): void
  /** Resolves when nothing is due and nothing under way. */
  settled(): Promise<void>
  nextDueMs(): number | undefined
  stop(): Promise<void>
}

export function createDeliverer(world: World, retryDelaysMs: readonly number[], onChange: () => void): Deliverer {
  const stopping = new AbortController()
  let running: Promise<void> | undefined

  const waiting = () => world.state.deliveries.filter(({ status }) => status === 'waiting' || status === 'held')
  const nextDue = (): Delivery | undefined => {
    const due = waiting().filter(({ dueAtMs }) => dueAtMs <= world.now())
    return due.reduce<Delivery | undefined>(
      (first, each) => (first === undefined || each.dueAtMs < first.dueAtMs ? each : first),
      undefined,
    )
  }
  const run = async (): Promise<void> => {
    for (let due = nextDue(); due !== undefined && !stopping.signal.aborted; due = nextDue()) {
      const status = await send(world, due, stopping.signal)
      if (stopping.signal.aborted) return
      settle(due, status, world.now(), retryDelaysMs)
      onChange()
    }
  }
  const wake = (): void => {
    if (running !== undefined || stopping.signal.aborted || nextDue() === undefined) return
    running = run().finally(() => {
      running = undefined
      wake()
    })
  }
  return {
    wake,
    settled: async () => {
      for (wake(); running !== undefined; wake()) await running
    },
    nextDueMs: () => waiting().reduce<number | undefined>((least, { dueAtMs }) => Math.min(least ?? dueAtMs, dueAtMs), undefined),
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

function settle(delivery: Delivery, status: number | null, nowMs: number, retryDelaysMs: readonly number[]): void {
  delivery.tries++
  delivery.lastStatus = status
  const delayMs = retryDelaysMs[delivery.tries - 1]
  if (status !== null && status >= 200 && status < 300) delivery.status = 'delivered'
  else if (!delivery.isRetried || delayMs === undefined) delivery.status = 'given_up'
  else Object.assign(delivery, { status: 'waiting', dueAtMs: nowMs + delayMs })
}

/** The status of the answer; null without one. */
async function send(world: World, delivery: Delivery, stop: AbortSignal): Promise<number | null> {
  const url = accountOf(world, delivery.account)?.callbackUrl
  if (url === undefined) return null
  const signal = AbortSignal.any([stop, AbortSignal.timeout(ANSWER_WITHIN_MS)])
  try {
    const headers = { 'content-type': 'application/json', ...signatureHeaders(world, delivery) }
    const answer = await fetch(url, { method: 'POST', headers, body: delivery.body, redirect: 'manual', signal })
    await answer.body?.cancel()
    return answer.status
  } catch {
    // Nobody there, or no answer in time: it is tried again.
    return null
  }
}

function signatureHeaders(world: World, delivery: Delivery): Record<string, string> {
  const account = accountOf(world, delivery.account)
  const secrets = delivery.signature === 'forged' ? [FORGED_SECRET] : (account?.webhookSecrets ?? [])
  if (delivery.gateway === 'razorpay') {
    const signature = hmac(secrets[0] ?? '', delivery.body)
    return { 'x-razorpay-signature': signature, 'x-razorpay-event-id': delivery.eventId, 'user-agent': 'Razorpay-Webhook/v1' }
  }
  const atS = Math.floor(world.now() / 1000) - (delivery.signature === 'stale' ? STALE_S : 0)
  const signatures = secrets.map((secret) => `v1=${hmac(secret, `${atS}.${delivery.body}`)}`)
  return { 'stripe-signature': [`t=${atS}`, ...signatures].join(','), 'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)' }
}

export function hmac(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('hex')
}
