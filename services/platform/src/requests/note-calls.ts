import type { App } from '@roadworthy/service-kit/http/http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../keys/caller.ts'
import { hashKeyText, isKeyText } from '../keys/key-text.ts'
import { presentedKey } from '../keys/presented-key.ts'
import type { SurfaceName } from '../limits/plans.ts'
import { maskPath, maskQuery, maskSecrets } from './mask-secrets.ts'
import type { EndedCall, RequestLog } from './request-log.ts'

const MAX_PATH_CHARACTERS = 300
const MAX_QUERY_CHARACTERS = 500
const MAX_MESSAGE_CHARACTERS = 500
const MAX_USER_AGENT_CHARACTERS = 200

/** Notes each call by a key that this surface answers. What people do in the dashboard is no call. */
export function noteCalls(app: App, surface: SurfaceName, log: RequestLog, now: () => Date): void {
  app.addHook('onResponse', (request, reply, done) => {
    const isRefused = reply.statusCode >= 400
    const by = isRefused ? ownerOf(request) : ownerOfCaller(request.caller)
    if (by !== undefined) {
      const nowMs = now().getTime()
      if (log.takes('sha256Hex' in by ? by.sha256Hex : by.keyId, isRefused, nowMs)) log.note(endedCall(surface, by, request, reply, nowMs))
    }
    done()
  })
}

/** A revoked key lets nobody in, and its owner still wants to see who uses it. So it is with addresses that lead nowhere. */
function ownerOf(request: FastifyRequest): EndedCall['by'] | undefined {
  const known = request.caller as Caller | undefined
  if (known !== undefined) return ownerOfCaller(known)
  if (request.routeOptions.config.public === true) return undefined
  const text = presentedKey(request.headers)
  return text === undefined || !isKeyText(text) ? undefined : { sha256Hex: hashKeyText(text) }
}

function ownerOfCaller(caller: Caller | undefined): EndedCall['by'] | undefined {
  if (caller === undefined || caller.keyId.startsWith('usr-')) return undefined
  return { resellerId: caller.resellerId, keyId: caller.keyId, subClientId: caller.subClientPin }
}

function endedCall(surface: SurfaceName, by: EndedCall['by'], request: FastifyRequest, reply: FastifyReply, nowMs: number): EndedCall {
  const [path = '', query] = split(request.url)
  const { refusedAs } = request
  const userAgent = request.headers['user-agent']
  return {
    by,
    at: new Date(nowMs - Math.round(reply.elapsedTime)),
    surface,
    method: request.method,
    path: bounded(maskPath(path), MAX_PATH_CHARACTERS),
    query: query === undefined ? undefined : maskedQuery(query),
    status: reply.statusCode,
    durationMs: Math.round(reply.elapsedTime),
    requestId: request.id,
    error:
      refusedAs === undefined
        ? undefined
        : { code: refusedAs.code, message: bounded(maskSecrets(refusedAs.message), MAX_MESSAGE_CHARACTERS) },
    address: request.ip,
    userAgent: userAgent === undefined ? undefined : bounded(maskSecrets(userAgent), MAX_USER_AGENT_CHARACTERS),
  }
}

function split(url: string): [path: string, query?: string] {
  const at = url.indexOf('?')
  return at < 0 ? [url] : [url.slice(0, at), url.slice(at + 1)]
}

function maskedQuery(query: string): string | undefined {
  const masked = maskQuery(query)
  return masked === undefined ? undefined : bounded(masked, MAX_QUERY_CHARACTERS)
}

/** PostgreSQL stores no NUL and no half of a character. */
function bounded(text: string, maxCharacters: number): string {
  const cut = text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text
  return cut.replaceAll('\u0000', '').toWellFormed()
}
