// One attempt at one delivery: sign, send, judge, store. Nothing is open in the database while the receiver takes its time.

import type { Database } from '@roadworthy/service-kit/postgres/db'
import type { Sealer } from '@roadworthy/service-kit/process/sealed'
import type { SpanStart, TraceSpan } from '@roadworthy/service-kit/telemetry/tracer'
import { resumeSpan, tracedAs } from '@roadworthy/service-kit/telemetry/tracing'
import { newId } from '@roadworthy/service-kit/text/ids'
import { writeEvents } from '../events/outbox.ts'
import {
  type Claimed,
  insertAttemptAcrossResellers,
  lockEndpointHealthAcrossResellers,
  releaseClaimAcrossResellers,
  updateDeliveryFailedAcrossResellers,
  updateDeliverySucceededAcrossResellers,
} from './claims.sql.ts'
import type { Attempt, AttemptOutcome } from './delivery.ts'
import { type DisabledReason, judgeFailure } from './endpoint.ts'
import { updateEndpointFailedAcrossResellers, updateEndpointSucceededAcrossResellers } from './endpoints.sql.ts'
import { parseRetryAfterMs, waitAfterMs } from './schedule.ts'
import { openHeaders, openSecrets } from './secrets.ts'
import { type SendDeps, type Sending, type SendResult, sendWebhook } from './send-webhook.ts'
import { signatureHeaders, validSecrets } from './signing.ts'

export type DeliveryLog = {
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

export type AttemptDeps = {
  readonly database: Database
  readonly sealer: Sealer
  readonly send: SendDeps
  readonly now: () => Date
  readonly random: () => number
  readonly log: DeliveryLog
  readonly countAttempt: (outcome: AttemptOutcome, durationS: number) => void
}

const USER_AGENT = 'Roadworthy-Webhooks/2.0'
/** Stands for the value of a header that the reseller added, which may be a password. */
const HIDDEN = '(as set)'
const TOO_MANY_REQUESTS = 429
const GONE = 410

/** Attempts what was claimed and stores what came of it, whatever that was; what is abandoned is given back. Rejects when it cannot be stored. */
export async function attemptDelivery(deps: AttemptDeps, claimed: Claimed, signal: AbortSignal): Promise<void> {
  const span = resumeSpan(deliverySpan(claimed), claimed.traceparent)
  await tracedAs(span, () => attemptTraced(deps, claimed, signal, span))
}

/** The receiver's address may hold a secret, and is no attribute. */
function deliverySpan({ step, eventId, deliveryId, endpointId }: Claimed): SpanStart {
  const about = { 'fleet.event.id': eventId, 'fleet.webhook.delivery.id': deliveryId, 'fleet.webhook.endpoint.id': endpointId }
  const again = step === 0 ? {} : { 'http.request.resend_count': step }
  return { name: 'POST webhook', kind: 'client', attributes: { 'http.request.method': 'POST', ...about, ...again } }
}

async function attemptTraced(deps: AttemptDeps, claimed: Claimed, signal: AbortSignal, span: TraceSpan | undefined): Promise<void> {
  const attemptedAt = deps.now()
  const { sending, shownHeaders } = prepare(deps, claimed, attemptedAt, span)
  const startedMs = performance.now()
  const result = await sendWebhook(deps.send, sending, signal)
  const { outcome, answer, error } = result
  if (answer !== undefined) span?.set({ 'http.response.status_code': answer.status })
  if (outcome !== 'delivered') span?.fail(outcome)
  if (outcome === 'abandoned') return await releaseClaimAcrossResellers(deps.database.systemPool, claimed)
  const durationMs = Math.round(performance.now() - startedMs)
  deps.countAttempt(outcome, durationMs / 1000)
  const attempt = {
    attemptId: newId('wha'),
    attemptedAt,
    url: sending.url,
    requestHeaders: shownHeaders,
    outcome,
    answer,
    error,
    durationMs,
  }
  await storeAttempt(deps, claimed, attempt, result)
}

function prepare({ sealer }: AttemptDeps, claimed: Claimed, attemptedAt: Date, span: TraceSpan | undefined) {
  const secrets = validSecrets(openSecrets(sealer, claimed, claimed.secretsSealed), attemptedAt)
  const added = openHeaders(sealer, claimed, claimed.headersSealed)
  const message = { id: claimed.eventId, body: claimed.body }
  const ours = {
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    ...(span === undefined ? {} : { traceparent: span.traceparent }),
    ...signatureHeaders(
      message,
      secrets.map(({ secret }) => secret),
      attemptedAt,
    ),
  }
  const sending: Sending = { url: claimed.url, headers: { ...added, ...ours }, body: claimed.body }
  return { sending, shownHeaders: { ...Object.fromEntries(Object.keys(added).map((name) => [name, HIDDEN])), ...ours } }
}

/** The endpoint's row is locked first and throughout: of attempts that end at once, one finds that it has been failing for too long. */
async function storeAttempt(deps: AttemptDeps, claimed: Claimed, attempt: Attempt, result: SendResult): Promise<void> {
  await deps.database.system(async (db) => {
    const endpoint = await lockEndpointHealthAcrossResellers(db, claimed)
    if (endpoint === undefined || !(await insertAttemptAcrossResellers(db, claimed, attempt))) return
    const at = deps.now()
    if (attempt.outcome === 'delivered') {
      await updateDeliverySucceededAcrossResellers(db, claimed, attempt, at)
      await updateEndpointSucceededAcrossResellers(db, claimed, at)
      return
    }
    await updateDeliveryFailedAcrossResellers(db, claimed, attempt, nextAttempt(deps, claimed, result, at))
    const { health, consequence } = judgeFailure(endpoint.health, at)
    const disabledReason: DisabledReason | undefined =
      endpoint.status !== 'enabled'
        ? undefined
        : result.answer?.status === GONE
          ? 'gone'
          : consequence === 'disable'
            ? 'failing'
            : undefined
    await updateEndpointFailedAcrossResellers(db, claimed, { health, disabledReason, at })
    const { resellerId, endpointId } = claimed
    const named = { resellerId, endpointId, failingSince: health.failingSince, lastError: attempt.error }
    if (consequence === 'warn') deps.log.warn(named, 'a webhook has been failing for a day; it is disabled after five')
    if (disabledReason === undefined) return
    deps.log.warn({ ...named, reason: disabledReason }, 'a webhook is disabled')
    const { url, subClientId } = endpoint
    const disabled = { endpointId, url, reason: disabledReason }
    await writeEvents(db, [{ resellerId, type: 'webhook.endpoint.disabled', data: disabled, subClientId, occurredAt: at }])
  })
}

function nextAttempt({ random }: AttemptDeps, { step }: Claimed, { outcome, answer }: SendResult, at: Date) {
  const isOverwhelmed = outcome === 'timeout' || answer?.status === TOO_MANY_REQUESTS
  const retryAfterMs = parseRetryAfterMs(answer?.headers['retry-after'], at)
  const waitMs = waitAfterMs(step, { isOverwhelmed, retryAfterMs }, random)
  return waitMs === undefined ? undefined : { step: step + 1, at: new Date(at.getTime() + waitMs) }
}
