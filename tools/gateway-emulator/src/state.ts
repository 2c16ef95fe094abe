// All that the emulator knows, as plain values: it is shown by `/_state`, set by it, and kept in a file. Amounts are as they go over the wire.

import { randomBytes } from 'node:crypto'

export type GatewayKind = 'stripe' | 'razorpay'

/** A merchant. Its key is what its requests carry, and who owns everything below. */
export type Account = {
  gateway: GatewayKind
  /** Stripe's API key, Razorpay's key id. */
  key: string
  /** Razorpay's. */
  keySecret?: string | undefined
  /** Where webhooks go; none without it. */
  callbackUrl?: string | undefined
  /** Stripe signs with all of them, as while a secret is rolled; Razorpay with the first. */
  webhookSecrets: string[]
}

export type CheckoutStatus = 'open' | 'completed' | 'partially_paid' | 'expired' | 'canceled'

export type Checkout = {
  id: string
  gateway: GatewayKind
  account: string
  /** The merchant's own reference: the id of an attempt. */
  reference: string | null
  amount: number
  currency: string
  description: string
  email: string | null
  returnUrl: string | null
  metadata: Record<string, string>
  orderId: string
  createdAtMs: number
  expiresAtMs: number
  canceledAtMs: number | null
  status: CheckoutStatus
}

export type PaymentState = 'pending' | 'authorised' | 'captured' | 'failed'

export type Payment = {
  id: string
  chargeId: string
  gateway: GatewayKind
  account: string
  checkoutId: string
  amount: number
  currency: string
  status: PaymentState
  metadata: Record<string, string>
  createdAtMs: number
  failure: string | null
}

export type Refund = {
  id: string
  gateway: GatewayKind
  account: string
  paymentId: string
  amount: number
  currency: string
  status: 'pending' | 'succeeded' | 'failed'
  receipt: string | null
  metadata: Record<string, string>
  createdAtMs: number
  failure: string | null
}

/** In Stripe's words; Razorpay's are a part of them. */
export type DisputeState = 'warning_needs_response' | 'warning_closed' | 'needs_response' | 'under_review' | 'won' | 'lost'

export type Dispute = {
  id: string
  gateway: GatewayKind
  account: string
  paymentId: string
  amount: number
  currency: string
  status: DisputeState
  reason: string
  createdAtMs: number
}

export type Signature = 'genuine' | 'forged' | 'stale'

export type Delivery = {
  id: string
  account: string
  gateway: GatewayKind
  eventId: string
  type: string
  body: string
  signature: Signature
  /** A forged or stale one is tried once: it is not the gateway's. */
  isRetried: boolean
  tries: number
  dueAtMs: number
  status: 'waiting' | 'held' | 'delivered' | 'given_up' | 'lost'
  lastStatus: number | null
}

/** Something that happens by itself later. */
export type Scheduled = { atMs: number; action: 'authorise' | 'capture' | 'fail_refund' | 'succeed_refund'; id: string }

export type Fault = {
  kind: string
  gateway?: GatewayKind | undefined
  /** Of requests: `open`, `find`, `state`, `expire`, `capture`, `refund`, `dispute`, `disputes`. */
  operation?: string | undefined
  /** Of deliveries: the event's type. */
  event?: string | undefined
  /** How many times it still strikes. */
  count: number
  times?: number | undefined
  delayMs?: number | undefined
  /** For `foreign_reference`. */
  reference?: string | undefined
  currency?: string | undefined
  /** Of a payment that is authorised late: whether it is captured as well. */
  captures?: boolean | undefined
}

/** Stripe's answers by key, so that the same request gets the same answer. */
export type Replay = { account: string; key: string; request: string; status: number; body: string }

export type EmulatorState = {
  /** Added to the machine's clock. */
  clockOffsetMs: number
  accounts: Account[]
  checkouts: Checkout[]
  payments: Payment[]
  refunds: Refund[]
  disputes: Dispute[]
  deliveries: Delivery[]
  scheduled: Scheduled[]
  faults: Fault[]
  replays: Replay[]
  /** Requests to open a checkout, by reference: how often somebody asked, not how often one was made. */
  opened: Record<string, number>
  /** Captured payments by reference: more than one is a customer who was charged twice. */
  charged: Record<string, number>
}

export function emptyState(): EmulatorState {
  return {
    clockOffsetMs: 0,
    accounts: [],
    checkouts: [],
    payments: [],
    refunds: [],
    disputes: [],
    deliveries: [],
    scheduled: [],
    faults: [],
    replays: [],
    opened: {},
    charged: {},
  }
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Random, so that an emulator that has forgotten everything gives no id twice. */
export function newId(prefix: string, length: number): string {
  return `${prefix}_${[...randomBytes(length)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')}`
}

/** Counts under a key that comes from outside. */
export function countUp(counts: Record<string, number>, key: string): void {
  counts[key] = (Object.hasOwn(counts, key) ? (counts[key] ?? 0) : 0) + 1
}
