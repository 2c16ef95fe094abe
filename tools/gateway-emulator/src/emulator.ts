// The emulator as one server on one port: both gateways' APIs, the page that customers pay on, and the control of all of it.

import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerPage } from './checkout-page.ts'
import { answerControl } from './control-api.ts'
import { createDeliverer, DEFAULT_RETRY_DELAYS_MS, type Deliverer } from './deliveries.ts'
import { type Exchange, html, json, routeFor } from './http-exchange.ts'
import { answerRazorpay, razorpayAccount, razorpayError, razorpayRoutes } from './razorpay-api.ts'
import { type FaultyReply, withFaults } from './request-faults.ts'
import { type EmulatorState, emptyState } from './state.ts'
import { answerStripe, stripeAccount, stripeError, stripeRoutes } from './stripe-api.ts'
import { catchUp, nextDueMs } from './transitions.ts'
import type { World } from './world.ts'

const MAX_BODY_BYTES = 1024 * 1024
/** The longest that one waits without looking: Node's timers go no further than 24 days. */
const MAX_SLEEP_MS = 60_000

export type EmulatorOptions = {
  /** 0 picks one. */
  readonly port: number
  readonly host?: string
  /** Everything is kept there, and found again at the next start. */
  readonly stateFile?: string | undefined
  readonly retryDelaysMs?: readonly number[] | undefined
}

export type Emulator = { readonly url: string; readonly world: World; stop(): Promise<void> }

export async function startEmulator({ port, host = '127.0.0.1', stateFile, retryDelaysMs }: EmulatorOptions): Promise<Emulator> {
  const state = stateFile === undefined ? emptyState() : loadState(stateFile)
  let timer: NodeJS.Timeout | undefined
  let deliverer: Deliverer | undefined
  let isSaveDue = false
  let isStopped = false
  const save = (): void => {
    if (stateFile !== undefined && isSaveDue) keepState(stateFile, state)
    isSaveDue = false
  }
  const schedule = (): void => {
    clearTimeout(timer)
    if (isStopped) return
    const dueMs = Math.min(nextDueMs(world) ?? Number.POSITIVE_INFINITY, deliverer?.nextDueMs() ?? Number.POSITIVE_INFINITY)
    timer = setTimeout(onTimer, Math.max(1, Math.min(dueMs - world.now(), MAX_SLEEP_MS)))
  }
  const onTimer = (): void => {
    catchUp(world)
    deliverer?.wake()
    schedule()
  }
  const world: World = {
    state,
    baseUrl: '',
    now: () => Date.now() + state.clockOffsetMs,
    changed: () => {
      isSaveDue = true
      // After all that changes in this turn; a reply goes out after it (`answer`).
      setImmediate(() => {
        save()
        schedule()
      })
    },
  }
  deliverer = createDeliverer(world, retryDelaysMs ?? DEFAULT_RETRY_DELAYS_MS, world.changed)
  const { settled } = deliverer
  const server = http.createServer((request, response) => {
    answer(world, { settled, save }, request, response).catch((error: unknown) => {
      console.error(error)
      response.destroy()
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve)
  })
  world.baseUrl = `http://${host}:${(server.address() as AddressInfo).port}`
  onTimer()
  return {
    url: world.baseUrl,
    world,
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await deliverer.stop()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
      save()
    },
  }
}

type Ends = { readonly settled: () => Promise<void>; readonly save: () => void }

async function answer(world: World, { settled, save }: Ends, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const exchange = await readExchange(request)
  const reply = exchange === undefined ? json(413, { error: 'too large' }) : await replyTo(world, settled, exchange)
  // What was reported to a merchant is not forgotten by SIGKILL.
  world.changed()
  save()
  if ('hangMs' in reply) {
    setTimeout(() => response.destroy(), reply.hangMs).unref()
    return
  }
  response.writeHead(reply.status, reply.headers).end(reply.body)
}

async function replyTo(world: World, settled: () => Promise<void>, exchange: Exchange): Promise<FaultyReply> {
  catchUp(world)
  const page = answerPage(world, exchange)
  if (page !== undefined) return page
  if (exchange.path === '/')
    return html(200, '<!doctype html><title>Gateway emulator</title><p>Stripe and Razorpay, emulated. See the README.')
  // A page somewhere else that a developer looks at must not be able to give commands.
  const { origin } = exchange.headers
  const isForeign = typeof origin === 'string' && origin !== world.baseUrl
  const control = isForeign ? undefined : await answerControl(world, exchange, settled)
  if (control !== undefined) return control
  const authorization = String(exchange.headers['authorization'] ?? '')
  return authorization.startsWith('Basic ') ? await replyAsRazorpay(world, exchange) : await replyAsStripe(world, exchange)
}

async function replyAsStripe(world: World, exchange: Exchange): Promise<FaultyReply> {
  const account = stripeAccount(world, exchange)
  if (account === undefined) return stripeError(401, 'Invalid API Key provided.')
  const found = routeFor(stripeRoutes, exchange)
  if (found === undefined) return stripeError(404, `Unrecognized request URL (${exchange.method}: ${exchange.path}).`)
  const { route, params } = found
  return await withFaults(world, 'stripe', route.operation, () => answerStripe(world, account, route, params, exchange))
}

async function replyAsRazorpay(world: World, exchange: Exchange): Promise<FaultyReply> {
  const account = razorpayAccount(world, exchange)
  if (account === undefined) return razorpayError(401, 'Authentication failed')
  const found = routeFor(razorpayRoutes, exchange)
  if (found === undefined) return razorpayError(404, 'The requested URL was not found on the server.')
  const { route, params } = found
  return await withFaults(world, 'razorpay', route.operation, () => answerRazorpay(world, account, route, params, exchange))
}

/** Absent when the body is longer than any that a merchant sends. */
async function readExchange(request: IncomingMessage): Promise<Exchange | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > MAX_BODY_BYTES) return undefined
    chunks.push(chunk)
  }
  const url = new URL(request.url ?? '/', 'http://emulator')
  const body = Buffer.concat(chunks).toString('utf8')
  return { method: request.method ?? 'GET', path: url.pathname, query: url.searchParams, headers: request.headers, body }
}

function loadState(file: string): EmulatorState {
  if (!existsSync(file)) return emptyState()
  return { ...emptyState(), ...(JSON.parse(readFileSync(file, 'utf8')) as Partial<EmulatorState>) }
}

/** Whole or not at all, also when the process is killed in between. */
function keepState(file: string, state: EmulatorState): void {
  writeFileSync(`${file}.new`, JSON.stringify(state))
  renameSync(`${file}.new`, file)
}
