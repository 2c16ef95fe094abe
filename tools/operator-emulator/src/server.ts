// The emulator's HTTP server: both wire forms and the routes for tests, on loopback, with faults where they are asked for.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { answerAdmin } from './admin.ts'
import { AIRTEL_PREFIX, AirtelTokens, answerAirtel } from './airtel-wire.ts'
import { CallLog } from './call-log.ts'
import { answerCisco, CISCO_PREFIX } from './cisco-wire.ts'
import { type Fault, Faults, withWrongType } from './faults.ts'
import type { Platform } from './platform.ts'
import type { WireAnswer, WireRequest } from './wire.ts'

const MAX_BODY_BYTES = 1_048_576
/** More than anybody should read of one answer. */
const FLOOD_BYTES = 67_108_864
const GARBAGE = '<html><head><title>Scheduled maintenance</title></head><body>We will be back soon.</body></html>'

export type Emulator = {
  readonly platform: Platform
  /** Called after whatever may have changed something. */
  readonly save: () => void
}

export function createEmulatorServer({ platform, save }: Emulator): Server {
  const [faults, tokens, calls] = [new Faults(), new AirtelTokens(), new CallLog()]
  const admin = { platform, faults, tokens, calls }
  return createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://emulator')
    const method = request.method ?? 'GET'
    const serve = async () => {
      const body = await readBody(request)
      platform.advance()
      // The platform's clock, which may be a virtual one.
      response.setHeader('date', new Date(platform.nowMs).toUTCString())
      if (pathname.startsWith('/_')) {
        const answer = answerAdmin(admin, method, pathname, body)
        if (method !== 'GET') save()
        return send(response, answer)
      }
      const isWithin = calls.begin(performance.now())
      response.once('close', () => calls.end())
      if (!isWithin) return send(response, { status: 429, body: { errorMessage: 'Too many calls' } })
      const fault = faults.take(method, pathname)
      const wire = { method, query: searchParams, headers: headersOf(request), body, fault }
      await answerWithFault(response, fault, () => {
        const answer = answerWire(platform, tokens, pathname, wire)
        if (method !== 'GET') save()
        return answer
      })
    }
    // Whoever hung up is not answered.
    serve().catch((error: unknown) => {
      if (!response.headersSent && !response.destroyed) send(response, { status: 500, body: { error: String(error) } })
    })
  })
}

function answerWire(platform: Platform, tokens: AirtelTokens, path: string, rest: Omit<WireRequest, 'path'>): WireAnswer {
  if (path.startsWith(CISCO_PREFIX)) return answerCisco(platform, { ...rest, path: path.slice(CISCO_PREFIX.length) })
  if (path.startsWith(AIRTEL_PREFIX)) return answerAirtel(platform, tokens, { ...rest, path: path.slice(AIRTEL_PREFIX.length) })
  return { status: 404, body: { errorMessage: `Paths begin with ${CISCO_PREFIX} or ${AIRTEL_PREFIX}` } }
}

async function answerWithFault(response: ServerResponse, fault: Fault | undefined, answer: () => WireAnswer): Promise<void> {
  switch (fault?.kind) {
    case 'timeout_before':
      return
    case 'hang_up_before':
      response.destroy()
      return
    case 'error':
      send(response, { status: fault.status ?? 500, body: { errorMessage: 'Internal Server Error.' } })
      return
    case 'too_many':
      if (fault.retry_after_s !== undefined) response.setHeader('retry-after', String(fault.retry_after_s))
      send(response, { status: 429, body: { errorMessage: 'Too many calls' } })
      return
    case 'slow':
      await delay(fault.ms ?? 1_000)
      send(response, answer())
      return
    default:
      sendWithFault(response, fault, answer())
      return
  }
}

function sendWithFault(response: ServerResponse, fault: Fault | undefined, answer: WireAnswer): void {
  switch (fault?.kind) {
    case 'timeout_after':
      return
    case 'hang_up_after':
      response.destroy()
      return
    case 'error_after':
      send(response, { status: fault.status ?? 500, body: { errorMessage: 'Internal Server Error.' } })
      return
    case 'garbage':
      response.writeHead(200, { 'content-type': 'text/html' }).end(GARBAGE)
      return
    case 'truncated': {
      const text = JSON.stringify(answer.body)
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text.slice(0, Math.floor(text.length / 2)))
      return
    }
    case 'wrong_type':
      send(response, { ...answer, body: withWrongType(answer.body, fault.field, fault.value) })
      return
    case 'flood':
      response.writeHead(200, { 'content-type': 'application/json' }).end(Buffer.alloc(FLOOD_BYTES, ' '))
      return
    default:
      send(response, answer)
      return
  }
}

function send(response: ServerResponse, { status, body }: WireAnswer): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function headersOf({ headers }: IncomingMessage): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]))
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_BODY_BYTES) throw new Error(`a body has at most ${MAX_BODY_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
