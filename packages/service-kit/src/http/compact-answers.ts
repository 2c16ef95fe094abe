// Answers of a surface that pages ask again and again: compressed, and not sent at all where the caller has them already.
//
// BREACH (breachattack.com): a secret in a compressed answer can be guessed by its length where an attacker has part of the same answer under
// control. So only what is read is compressed (GET, 200; HEAD has the header fields of GET, RFC 9110 §9.3.2), where no route shows a secret: those are shown once, by the POST that makes them.
// What a route marks `no-store` is left alone.

import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from './http.ts'

const MIN_CHARS = 1_024
/** Assumption: fast enough to be done for each answer. The default, 11, is for what is compressed once. */
const BROTLI_QUALITY = 4

const inBrotli = promisify(brotliCompress)
const inGzip = promisify(gzip)

export function compactAnswers(app: Pick<App, 'addHook'>): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (typeof payload !== 'string' || !mayBeCompact(request, reply)) return payload
    reply.header('vary', 'accept-encoding')
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'private, no-cache')
    const etag = `W/"${createHash('sha256').update(payload).digest('base64url').slice(0, 22)}"`
    reply.header('etag', etag)
    if (isKnown(request.headers['if-none-match'], etag)) {
      reply.code(304).removeHeader('content-type')
      // Fastify measures what it leaves out of an answer to HEAD, but a stream: a length of 0 would be none of the resource.
      return request.method === 'HEAD' ? Readable.from([]) : null
    }
    if (payload.length < MIN_CHARS) return payload
    const encoding = chooseEncoding(request.headers['accept-encoding'])
    if (encoding === undefined) return payload
    reply.header('content-encoding', encoding).removeHeader('content-length')
    if (encoding === 'gzip') return await inGzip(payload)
    const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_MODE, BROTLI_MODE_TEXT } = constants
    return await inBrotli(payload, { params: { [BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [BROTLI_PARAM_MODE]: BROTLI_MODE_TEXT } })
  })
}

function mayBeCompact({ method }: FastifyRequest, reply: FastifyReply): boolean {
  const isJson = String(reply.getHeader('content-type')).startsWith('application/json')
  const isStored = !String(reply.getHeader('cache-control') ?? '').includes('no-store')
  return (method === 'GET' || method === 'HEAD') && reply.statusCode === 200 && isJson && isStored && !reply.hasHeader('content-encoding')
}

/** RFC 9110 §13.1.2: compared weakly, and `*` is any. */
function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const strong = etag.slice(2)
  return ifNoneMatch?.split(',').some((each) => ['*', etag, strong].includes(each.trim())) === true
}

const encodings = ['br', 'gzip'] as const
type Encoding = (typeof encodings)[number]

/** RFC 9110 §12.5.3. Ours, in our order, of those that the caller takes. */
export function chooseEncoding(acceptEncoding: string | undefined, ours: readonly Encoding[] = encodings): Encoding | undefined {
  const taken = new Map<string, boolean>()
  for (const part of acceptEncoding?.toLowerCase().split(',') ?? []) {
    const [name = '', ...parameters] = part.split(';').map((each) => each.trim())
    taken.set(name, !parameters.some((each) => /^q=0(\.0{0,3})?$/.test(each)))
  }
  return ours.find((name) => taken.get(name) ?? taken.get('*') ?? false)
}
