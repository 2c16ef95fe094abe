// What can go wrong with a request, before or after the gateway has done what it asks.

import { json, type Reply } from './http-exchange.ts'
import type { Fault, GatewayKind } from './state.ts'
import { takeFault, type World } from './world.ts'

/** `hang`: no answer for so long, then the connection ends. */
export type FaultyReply = Reply | { readonly hangMs: number }

const BEFORE = ['error_before', 'rate_limited', 'unauthorised', 'redirect']
const AFTER = ['error_after_success', 'drop_after_success', 'timeout_after_success', 'garbage', 'huge', 'slow']

const HUGE_BYTES = 32 * 1024 * 1024
/** Longer than anybody waits. */
const DEFAULT_HANG_MS = 120_000
const DEFAULT_SLOW_MS = 500

export async function withFaults(world: World, gateway: GatewayKind, operation: string, run: () => Reply): Promise<FaultyReply> {
  const before = takeFault(world, BEFORE, { gateway, operation })
  if (before !== undefined) return instead(before)
  const after = takeFault(world, AFTER, { gateway, operation })
  const reply = run()
  return after === undefined ? reply : await spoiled(after, reply)
}

function instead(fault: Fault): Reply {
  if (fault.kind === 'rate_limited') {
    return json(
      429,
      { error: { code: 'rate_limit', type: 'invalid_request_error', message: 'Too many requests', description: 'Too many requests' } },
      { 'retry-after': '7' },
    )
  }
  if (fault.kind === 'unauthorised')
    return json(401, { error: { message: 'Invalid API Key provided', description: 'Authentication failed' } })
  if (fault.kind === 'redirect') return { status: 307, headers: { location: 'http://127.0.0.1:9/elsewhere' }, body: '' }
  return json(500, { error: { type: 'api_error', message: 'An unknown error occurred', description: 'We are facing some trouble' } })
}

async function spoiled(fault: Fault, reply: Reply): Promise<FaultyReply> {
  switch (fault.kind) {
    case 'error_after_success':
      return json(502, { error: { type: 'api_error', message: 'Bad gateway', description: 'Bad gateway' } })
    case 'drop_after_success':
      return { hangMs: 0 }
    case 'timeout_after_success':
      return { hangMs: fault.delayMs ?? DEFAULT_HANG_MS }
    case 'garbage':
      return { status: 200, headers: { 'content-type': 'text/html' }, body: '<!doctype html><p>Please sign in to the network' }
    case 'huge':
      return { status: 200, headers: { 'content-type': 'application/json' }, body: `{"data":"${'x'.repeat(HUGE_BYTES)}"}` }
    default:
      await new Promise((resolve) => setTimeout(resolve, fault.delayMs ?? DEFAULT_SLOW_MS))
      return reply
  }
}
