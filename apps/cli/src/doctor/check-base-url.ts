// The way from outside: whether BASE_URL leads to this service, and what a proxy on the way does to headers and streams.

import { randomUUID } from 'node:crypto'
import { type Finding, okay, skip, wrong } from '../finding.ts'

const TIMEOUT_MS = 8_000
/** The stream sends something at once, as far as the service has the time: it is asked for both ways at the same time. */
const STREAM_WAIT_MS = 20_000
/** A proxy that buffers holds what is sent until its buffer is full or the connection ends; any other passes it on. */
const PASSED_ON_WITHIN_MS = 3_000

export type Way = {
  /** As others reach it. */
  readonly publicUrl: string
  /** As this machine does, past the proxy. */
  readonly directUrl: string
  readonly apiKey: string | undefined
}

const KEYED = '/api/v1/vehicles?limit=1'

/** Everything that can be seen from here. */
export async function checkBaseUrl(way: Way): Promise<Finding[]> {
  const reached = await checkReached(way)
  if (reached.status !== 'ok') return [reached]
  const proto = await checkForwardedProto(way)
  if (await answers(way.directUrl)) return [reached, await checkHeaders(way), proto, await checkBuffering(way)]
  const unknown = `nothing answers at ${way.directUrl} to compare with; PORT has to be that of the service`
  return [reached, skip('proxy headers', unknown), proto, skip('proxy buffering', unknown)]
}

async function checkReached({ publicUrl }: Way): Promise<Finding> {
  const requestId = `doctor-${randomUUID()}`
  const why = 'Links in mails, on invoices and in the dashboard lead there, and so do the addresses that devices are given.'
  try {
    const answer = await get(`${publicUrl}/api/external/health`, { 'x-request-id': requestId })
    const body = (await answer.json().catch(() => ({}))) as { status?: unknown }
    const isOurs = answer.headers.get('x-request-id') === requestId && typeof body.status === 'string'
    if (isOurs) return okay('base url', `${publicUrl} leads to a Roadworthy`)
    const detail = `${publicUrl} answers ${answer.status}, and not as Roadworthy does.`
    return wrong('base url', {
      detail,
      why,
      fix: 'Point the proxy at this service, the whole path and with its headers, or set BASE_URL to the address that does.',
    })
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string } }
    const detail = `nothing answers at ${publicUrl} (${cause?.code ?? message}).`
    return wrong('base url', {
      detail,
      why,
      fix: 'Set BASE_URL to the address at which the proxy listens, and check the proxy, DNS and the firewall.',
    })
  }
}

/** The key of this instance is good on the direct way. */
async function checkHeaders({ publicUrl, directUrl, apiKey }: Way): Promise<Finding> {
  if (apiKey === undefined) return skip('proxy headers', 'there is no API key here to try it with')
  const headers = { 'x-api-key': apiKey }
  const [direct, outer] = await Promise.all([get(`${directUrl}${KEYED}`, headers), get(`${publicUrl}${KEYED}`, headers)])
  if (direct.status === 401) return skip('proxy headers', 'the API key here is not accepted')
  if (outer.status === direct.status) return okay('proxy headers', 'the API key arrives')
  const { error } = (await outer.json().catch(() => ({}))) as { error?: { details?: { reason?: string } } }
  const isMissing = error?.details?.reason === 'missing'
  if (outer.status === 401 && !isMissing) {
    return wrong('base url', {
      detail: `${publicUrl} leads to another Roadworthy: it does not know the API key of this one.`,
      why: 'People and devices end up at the other one.',
      fix: 'Point the proxy at this service, or set BASE_URL to the address that does.',
    })
  }
  return wrong('proxy headers', {
    detail: isMissing
      ? 'the header X-API-Key does not arrive through the proxy.'
      : `the same call is ${direct.status} here and ${outer.status} through the proxy.`,
    why: 'Every call with a key is refused.',
    fix: 'Have the proxy pass on X-API-Key and Authorization unchanged (no proxy_set_header that empties them, no allow-list of headers).',
  })
}

/** Answers over https have Strict-Transport-Security; the service knows of https by X-Forwarded-Proto of a proxy that TRUST_PROXY names. */
async function checkForwardedProto({ publicUrl }: Way): Promise<Finding> {
  if (!publicUrl.startsWith('https:')) return skip('trust proxy', 'BASE_URL is not https')
  const answer = await get(`${publicUrl}/api/external/health`, {})
  if (answer.headers.has('strict-transport-security')) return okay('trust proxy', 'the service knows that callers come over https')
  return wrong('trust proxy', {
    detail: 'the service takes calls through the proxy for plain http of one caller.',
    why: 'Limits by address act on the proxy, which is every caller; the audit log names its address; browsers are not kept to https.',
    fix: 'Set TRUST_PROXY to the network of the proxy (127.0.0.1 for one on this machine), and have it send X-Forwarded-For, -Proto and -Host.',
  })
}

async function answers(url: string): Promise<boolean> {
  return await get(`${url}/livez`, {}).then(
    ({ status }) => status < 500,
    () => false,
  )
}

async function checkBuffering({ publicUrl, directUrl, apiKey }: Way): Promise<Finding> {
  if (apiKey === undefined) return skip('proxy buffering', 'there is no API key here to try it with')
  const stopping = new AbortController()
  const [direct, outer] = [directUrl, publicUrl].map((url) => streamBegins(url, apiKey, stopping.signal)) as [
    Promise<boolean>,
    Promise<boolean>,
  ]
  try {
    if (!(await within(STREAM_WAIT_MS, direct)))
      return skip('proxy buffering', 'the stream of this service does not begin either; the key may lack scopes')
    if (await within(PASSED_ON_WITHIN_MS, outer)) return okay('proxy buffering', 'the live stream begins at once')
  } finally {
    stopping.abort()
  }
  return wrong('proxy buffering', {
    detail: `the live stream, which begins here, does not begin within ${PASSED_ON_WITHIN_MS / 1000} s more through the proxy.`,
    why: 'The dashboard shows nothing live, and streams end in time-outs.',
    fix: 'Switch buffering off for /api/v1/stream: proxy_buffering off and proxy_read_timeout 1h of nginx, flush_interval -1 of Caddy.',
  })
}

/** Whether it sends something before it ends. */
async function streamBegins(baseUrl: string, apiKey: string, signal: AbortSignal): Promise<boolean> {
  try {
    const headers = { 'x-api-key': apiKey, accept: 'text/event-stream' }
    const answer = await fetch(`${baseUrl}/api/v1/stream`, { headers, signal })
    const first = await answer.body?.getReader().read()
    return answer.ok && (first?.value?.length ?? 0) > 0
  } catch {
    return false
  }
}

/** False when it takes longer. */
async function within(boundMs: number, outcome: Promise<boolean>): Promise<boolean> {
  const { promise: isOver, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), boundMs)
  return await Promise.race([outcome, isOver]).finally(() => clearTimeout(timer))
}

function get(url: string, headers: Record<string, string>): Promise<Response> {
  return fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) })
}
