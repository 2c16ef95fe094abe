// `Idempotency-Key` on POST: a request that is repeated with the same key and body is carried out once and answered the same. The answer
// is stored before it is sent, so whoever has seen it can rely on the replay. A request that died without an answer holds its key for a
// minute; after that a repeat carries it out. One that runs for longer renews its claim.

import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { App } from '@roadworthy/service-kit/http/http'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import type { Sealer } from '@roadworthy/service-kit/process/sealed'
import { canonicalJson } from '@roadworthy/service-kit/text/canonical-json'
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import {
  claimIdempotencyKey,
  deleteIdempotencyClaim,
  type IdempotencyId,
  type KeptAnswer,
  renewIdempotencyClaim,
  selectKeptAnswer,
  updateKeptAnswer,
} from './idempotency.sql.ts'

export const IDEMPOTENCY_KEPT_MS = 24 * 3_600_000
const ABANDONED_AFTER_MS = 60_000
/**
 * A third of that, so that one renewal may fail. An import of 1,000 devices may run for longer than a minute on a slow or busy machine, and clients repeat what
 * is not answered after 60 s: a repeat beside it would register those without an IMEI twice.
 */
const RENEW_EVERY_MS = 20_000
/** Ten minutes: what runs for longer hangs. */
const MAX_RENEWALS = 30
/** Printable ASCII, spaces included. */
const KEY_FORM = /^[\x20-\x7e]{1,255}$/

type Claim = { readonly id: IdempotencyId; claimedAt: Date; readonly release: () => Promise<void> }
/** `body` null: it was sent in parts, of which nothing is kept but what they were made of. */
type StoredResponse = { contentType: string | undefined; body: string | null; madeOf?: string | undefined }

declare module 'fastify' {
  interface FastifyRequest {
    /** Set while a request with an `Idempotency-Key` is being carried out for the first time. */
    idempotencyClaim: Claim | undefined
    /** Set by a route that answers in parts, where its address does not name the object: an id. */
    answerMadeOf: string | undefined
  }
  interface FastifyContextConfig {
    /** Of a route that answers in parts: how a repeat is answered, from what is stored. Without it the repeat is carried out. */
    answerAgain?: (request: FastifyRequest, reply: FastifyReply, madeOf: string) => Promise<unknown>
  }
}

export type IdempotencyDeps = { readonly database: Database; readonly sealer: Sealer }

/** Call on a surface's own instance before its routes. */
export function addIdempotency(app: App, deps: IdempotencyDeps): void {
  app.decorateRequest('idempotencyClaim', undefined)
  app.decorateRequest('answerMadeOf', undefined)
  // After the body is parsed and before it is validated, so that a refused body is an answer like any other.
  app.addHook('preValidation', async (request, reply) => {
    const key = request.headers['idempotency-key']
    if (request.method !== 'POST' || key === undefined) return
    if (request.is404 || request.routeOptions.config.public === true) return
    const kept = await claimOrFind(deps, request, String(key))
    if (kept === undefined) return
    reply.code(kept.status).header('idempotency-replayed', 'true')
    if (kept.body === null) return await request.routeOptions.config.answerAgain?.(request, reply, kept.madeOf ?? '')
    reply.serializer(String)
    if (kept.contentType !== undefined) reply.header('content-type', kept.contentType)
    return reply.send(kept.body)
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    const claim = request.idempotencyClaim
    if (claim === undefined) return done(null, payload)
    request.idempotencyClaim = undefined
    const type = reply.getHeader('content-type')
    const contentType = typeof type === 'string' ? type : undefined
    const isInParts = payload instanceof Readable && request.routeOptions.config.answerAgain !== undefined
    const answer = isInParts ? { contentType, body: null, madeOf: request.answerMadeOf } : { contentType, body: payload ?? '' }
    const settled = claim.release().then(() => settle(deps, claim, reply.statusCode, answer))
    settled.then(
      () => done(null, payload),
      (error: Error) => {
        // What was asked is done, so its answer goes out; a repeat within a minute is answered that the first one is still running.
        request.log.error({ err: error }, 'the answer to an idempotent request could not be kept')
        done(null, payload)
      },
    )
  })
}

async function claimOrFind(
  deps: IdempotencyDeps,
  request: FastifyRequest,
  key: string,
): Promise<({ status: number } & StoredResponse) | undefined> {
  if (!KEY_FORM.test(key)) {
    throw new Problem('invalid_request', 'Idempotency-Key must be 1 to 255 printable ASCII characters.', {
      details: { in: 'headers', field: 'Idempotency-Key' },
    })
  }
  const { resellerId, subClientPin } = request.caller
  const [asked = '', query = ''] = request.url.split('?', 2)
  // With or without a slash at its end it is one address.
  const path = asked.replace(/\/$/, '')
  const id: IdempotencyId = { resellerId, subClientId: subClientPin ?? '', method: request.method, path, key }
  const bodySha256 = createHash('sha256')
    .update(`${query}\n${request.body === undefined ? '' : canonicalJson(request.body)}`)
    .digest()
  const found = await deps.database.tenant(resellerId, async (db) => {
    const claimedAt = await claimIdempotencyKey(db, id, { bodySha256, keptMs: IDEMPOTENCY_KEPT_MS, abandonedAfterMs: ABANDONED_AFTER_MS })
    if (claimedAt !== undefined) return claimedAt
    // Not there any more means that the first request failed between the two statements: a repeat will be carried out.
    return (await selectKeptAnswer(db, id)) ?? { bodySha256, status: undefined, response: undefined }
  })
  if (!(found instanceof Date)) return replay(deps, id, found, bodySha256)
  request.idempotencyClaim = holdClaim(deps, id, found, request.log)
  return undefined
}

/** Renews the claim until `release`, which resolves once nothing changes it any more. */
function holdClaim(deps: IdempotencyDeps, id: IdempotencyId, claimedAt: Date, log: FastifyBaseLogger): Claim {
  let timer: NodeJS.Timeout | undefined
  let renewing = Promise.resolve()
  let isReleased = false
  const release = () => {
    isReleased = true
    clearTimeout(timer)
    return renewing
  }
  const claim: Claim = { id, claimedAt, release }
  const renew = async () => {
    try {
      const renewedAt = await deps.database.tenant(id.resellerId, (db) => renewIdempotencyClaim(db, id, claim.claimedAt))
      claim.claimedAt = renewedAt ?? claim.claimedAt
    } catch (error) {
      log.warn({ err: error }, 'the claim of an idempotent request that still runs could not be renewed; it is tried again')
    }
  }
  const wait = (renewalsLeft: number) => {
    if (isReleased || renewalsLeft === 0) return
    timer = setTimeout(() => {
      renewing = renew()
      void renewing.then(() => wait(renewalsLeft - 1))
    }, RENEW_EVERY_MS)
    timer.unref()
  }
  wait(MAX_RENEWALS)
  return claim
}

function replay(deps: IdempotencyDeps, id: IdempotencyId, kept: KeptAnswer, bodySha256: Buffer): { status: number } & StoredResponse {
  if (!kept.bodySha256.equals(bodySha256)) {
    throw new Problem('idempotency_conflict', 'This Idempotency-Key was used before with another body.')
  }
  if (kept.status === undefined || kept.response === undefined) {
    throw new Problem('idempotency_in_progress', 'The first request with this Idempotency-Key is still running.', { retryAfterS: 1 })
  }
  return { status: kept.status, ...(JSON.parse(deps.sealer.open(kept.response, contextOf(id))) as StoredResponse) }
}

async function settle(
  deps: IdempotencyDeps,
  { id, claimedAt }: Pick<Claim, 'id' | 'claimedAt'>,
  status: number,
  answer: Omit<StoredResponse, 'body'> & { body: unknown },
): Promise<void> {
  // A failure of ours, or a refusal for now, must not become the answer for a day.
  const isKept = (typeof answer.body === 'string' || answer.body === null) && status < 500 && status !== 429
  await deps.database.tenant(id.resellerId, (db) => {
    if (!isKept) return deleteIdempotencyClaim(db, id, claimedAt)
    return updateKeptAnswer(db, id, claimedAt, { status, response: deps.sealer.seal(JSON.stringify(answer), contextOf(id)) })
  })
}

function contextOf(id: IdempotencyId): string {
  return JSON.stringify([id.resellerId, id.subClientId, id.method, id.path, id.key])
}
