// What tests and the demo do behind the gateways' backs: look at everything, set anything, have things happen, let time pass.

import { type Exchange, json, matchPath, type Reply } from './http-exchange.ts'
import { type Account, type DisputeState, type EmulatorState, emptyState, type Fault, type Payment } from './state.ts'
import { catchUp, moveDispute, openDispute, type PayOutcome, pay, payOutcomes, settle } from './transitions.ts'
import type { World } from './world.ts'

/** Faults that strike requests, in `request-faults.ts`; deliveries, in `events.ts`; what a customer or a bank does, in `transitions.ts`. */
const FAULTS = [
  ...['error_before', 'error_after_success', 'drop_after_success', 'timeout_after_success', 'rate_limited'],
  ...['unauthorised', 'garbage', 'huge', 'redirect', 'slow'],
  ...['duplicate', 'reordered', 'delayed', 'forged_signature', 'stale_timestamp', 'lost'],
  ...['wrong_amount', 'wrong_currency', 'foreign_reference'],
  ...['late_authorisation', 'partial_payment', 'refund_fails_later', 'refund_pending'],
]
const DISPUTE_STATES: readonly DisputeState[] = [
  'warning_needs_response',
  'warning_closed',
  'needs_response',
  'under_review',
  'won',
  'lost',
]

/** Absent of a path that is none of these. */
export async function answerControl(world: World, exchange: Exchange, settled: () => Promise<void>): Promise<Reply | undefined> {
  if (!exchange.path.startsWith('/_')) return undefined
  const body = exchange.method === 'GET' ? {} : parse(exchange.body)
  if (body === undefined) return json(400, { error: 'That is no JSON object.' })
  try {
    const value = answer(world, exchange, body)
    if (value === undefined) return json(404, { error: 'No such command; the README lists them.' })
    // Not of a question: the receiver of a webhook may ask one before it answers.
    if (exchange.method === 'POST') await settled()
    return json(200, value)
  } catch (error) {
    if (error instanceof RangeError) return json(400, { error: error.message })
    throw error
  }
}

type Body = Record<string, unknown>

function answer(world: World, { method, path }: Exchange, body: Body): unknown {
  const { state } = world
  switch (`${method} ${path}`) {
    case 'GET /_state':
      return state
    case 'PUT /_state':
      return setState(world, body)
    case 'GET /_faults':
      return { faults: state.faults, kinds: FAULTS }
    case 'POST /_faults':
      return addFault(world, body)
    case 'DELETE /_faults':
      state.faults = []
      world.changed()
      return { faults: [] }
    case 'POST /_accounts':
      return setAccount(world, body)
    case 'POST /_pay':
      return payAs(world, body)
    case 'POST /_settle':
      settle(world, paymentNamed(world, body['payment']), body['isPaid'] === true)
      return { payment: paymentNamed(world, body['payment']) }
    case 'POST /_advance':
      return advance(world, body)
    case 'POST /_disputes':
      return dispute(world, body)
    case 'POST /_deliver':
      return { deliveries: state.deliveries }
    default:
      return moveNamedDispute(world, method, path, body)
  }
}

function moveNamedDispute(world: World, method: string, path: string, body: Body): unknown {
  const params = method === 'POST' ? matchPath('/_disputes/:id', path) : undefined
  const found = world.state.disputes.find(({ id }) => id === params?.['id'])
  if (found === undefined) return undefined
  moveDispute(world, found, disputeState(body['status']))
  return { dispute: found }
}

/** Only keys that the state has; what is not named stays. */
function setState(world: World, body: Body): EmulatorState {
  for (const [name, value] of Object.entries(emptyState())) {
    if (!Object.hasOwn(body, name)) continue
    if (typeof body[name] !== typeof value || Array.isArray(body[name]) !== Array.isArray(value))
      throw new RangeError(`${name} is of another type`)
    Object.assign(world.state, { [name]: body[name] })
  }
  world.changed()
  return world.state
}

function addFault(world: World, body: Body): unknown {
  const kind = String(body['kind'])
  if (!FAULTS.includes(kind)) throw new RangeError(`${kind} is no fault; there are ${FAULTS.join(', ')}`)
  const count = body['count'] ?? 1
  if (!Number.isSafeInteger(count)) throw new RangeError('count is a whole number')
  const fault = { ...body, kind, count } as Fault
  world.state.faults.push(fault)
  world.changed()
  return { faults: world.state.faults }
}

function setAccount(world: World, body: Body): unknown {
  const { gateway, key, keySecret, callbackUrl, webhookSecrets } = body
  if (gateway !== 'stripe' && gateway !== 'razorpay') throw new RangeError('gateway is stripe or razorpay')
  if (typeof key !== 'string' || key === '') throw new RangeError('key is missing')
  const secrets = Array.isArray(webhookSecrets) ? webhookSecrets.map(String) : []
  const account: Account = {
    gateway,
    key,
    keySecret: typeof keySecret === 'string' ? keySecret : undefined,
    callbackUrl: typeof callbackUrl === 'string' && callbackUrl !== '' ? callbackUrl : undefined,
    webhookSecrets: secrets,
  }
  if (typeof body['rolledFrom'] === 'string') rollKey(world, body['rolledFrom'], key)
  world.state.accounts = [...world.state.accounts.filter((each) => each.key !== key), account]
  world.changed()
  return { account }
}

/** The account goes on under another key, and everything in it is its own. */
function rollKey({ state }: World, from: string, to: string): void {
  const { checkouts, payments, refunds, disputes, deliveries, replays } = state
  for (const each of [checkouts, payments, refunds, disputes, deliveries, replays].flat()) if (each.account === from) each.account = to
  state.accounts = state.accounts.filter(({ key }) => key !== from)
}

/** `checkout`: its id, or the merchant's reference. */
function payAs(world: World, body: Body): unknown {
  const outcome = (body['outcome'] ?? 'paid') as PayOutcome
  if (!payOutcomes.includes(outcome)) throw new RangeError(`outcome is one of ${payOutcomes.join(', ')}`)
  const checkout = world.state.checkouts.find(({ id, reference }) => id === body['checkout'] || reference === body['checkout'])
  if (checkout === undefined) throw new RangeError(`there is no checkout ${String(body['checkout'])}`)
  const payment = pay(world, checkout, outcome)
  return { isTaken: payment !== undefined, payment: payment ?? null, checkout }
}

function paymentNamed(world: World, id: unknown): Payment {
  const payment = world.state.payments.find((each) => each.id === id)
  if (payment === undefined) throw new RangeError(`there is no payment ${String(id)}`)
  return payment
}

function advance(world: World, body: Body): unknown {
  const ms = body['ms']
  if (typeof ms !== 'number' || !Number.isSafeInteger(ms) || ms < 0)
    throw new RangeError('ms is a whole number of milliseconds, and not negative')
  world.state.clockOffsetMs += ms
  catchUp(world)
  world.changed()
  return { now: new Date(world.now()).toISOString() }
}

function dispute(world: World, body: Body): unknown {
  const payment = paymentNamed(world, body['payment'])
  const amount = typeof body['amount'] === 'number' ? body['amount'] : payment.amount
  return { dispute: openDispute(world, payment, { amount, status: disputeState(body['status'] ?? 'needs_response') }) }
}

function disputeState(value: unknown): DisputeState {
  const found = DISPUTE_STATES.find((state) => state === value)
  if (found === undefined) throw new RangeError(`status is one of ${DISPUTE_STATES.join(', ')}`)
  return found
}

function parse(text: string): Body | undefined {
  if (text === '') return {}
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? (parsed as Body) : undefined
  } catch {
    // What was sent is not JSON.
    return undefined
  }
}
