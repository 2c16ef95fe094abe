// The keys this process has seen in use, held in memory so that a request costs no query. A revoked key must be dead in every process
// within a second: a change is announced by the database and drops the key at once, and because an announcement can be lost, nothing
// read longer than `TRUST_MS` ago is believed. A key in steady use is read again before that, beside the requests.

import { atMostEntries } from '@roadworthy/service-kit/pacing/at-most-entries'
import { BatchLoader, inOrder } from '@roadworthy/service-kit/pacing/batch-loader'
import { inTurn } from '@roadworthy/service-kit/pacing/in-turn'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import type { Notifications } from '@roadworthy/service-kit/postgres/notifications'
import { LRUCache } from 'lru-cache'
import { type KeyLimits, limitsOfKey, type Plans, type SurfaceName } from '../limits/plans.ts'
import type { Caller } from './caller.ts'
import { type PresentedKey, selectKeysByHashAcrossResellers, updateKeysLastUsedAcrossResellers } from './keys.sql.ts'

/** Counted from before the read, so that what was true then is acted on for less than a second. */
const TRUST_MS = 900
const REFRESH_MS = 400
const MAX_KEYS = 10_000
const MAX_KEYS_PER_READ = 500
const LAST_USED_EVERY_MS = 60_000

export type KnownKey = {
  readonly caller: Caller
  readonly key: PresentedKey
  /** undefined: not limited on that surface. */
  readonly limits: Readonly<Record<SurfaceName, KeyLimits | undefined>>
  readonly expiresAtMs: number
}

type Dropped = { isEverything: boolean; readonly resellerIds: Set<string>; readonly sha256Hexes: Set<string> }
type Held = { known: KnownKey; readAtMs: number; lastUsedMs: number }

export class KnownKeys {
  readonly #database: Database
  readonly #now: () => Date
  readonly #plans: Plans
  /** The one that was read longest ago goes first: it is looked at by `peek`, which is no use. */
  readonly #held = new LRUCache<string, Held>({
    ...atMostEntries(MAX_KEYS),
    dispose: ({ known }, sha256Hex) => this.#noLongerOf(known.caller.resellerId, sha256Hex),
  })
  /** The hashes in `#held` of each reseller: what one of them changes in bulk costs the others nothing. */
  readonly #heldOf = new Map<string, Set<string>>()
  readonly #reads = new BatchLoader<string, KnownKey | undefined>((hexes) => inOrder(hexes, this.#readBatch(hexes)), {
    maxKeys: MAX_KEYS_PER_READ,
  })
  /** What is dropped while a read is under way, which must not put it back. */
  #dropped: Dropped | undefined
  #used = new Map<string, { resellerId: string; keyId: string; usedAt: Date }>()
  readonly #stopListening: (() => void)[] = []
  /** Writes when keys were last used. */
  readonly flush = inTurn(() => this.#writeUsed())

  constructor(deps: { database: Database; notifications: Notifications | undefined; now: () => Date; plans: Plans }) {
    this.#database = deps.database
    this.#now = deps.now
    this.#plans = deps.plans
    const listen = (channel: string, onMessage: (payload: string) => void) => {
      const stop = deps.notifications?.on(channel, onMessage, () => this.#forgetAll())
      if (stop !== undefined) this.#stopListening.push(stop)
    }
    listen('api_key_changed', (sha256Hex) => {
      this.#dropped?.sha256Hexes.add(sha256Hex)
      this.#held.delete(sha256Hex)
    })
    listen('reseller_changed', (resellerId) => this.forgetReseller(resellerId))
    listen('fleet_changed', (resellerId) => this.#forget(resellerId, ({ caller }) => caller.subClientPin !== undefined))
  }

  /** The key with this hash, unless unknown or revoked. Whether it has expired is for the caller to see. */
  find(sha256Hex: string): KnownKey | undefined | Promise<KnownKey | undefined> {
    const held = this.#held.peek(sha256Hex)
    if (held === undefined) return this.#reads.load(sha256Hex)
    const ageMs = this.#now().getTime() - held.readAtMs
    // A clock that was set back makes the age negative; then it means nothing.
    if (ageMs < 0 || ageMs >= TRUST_MS) return this.#reads.load(sha256Hex)
    if (ageMs >= REFRESH_MS && !this.#reads.isWaiting(sha256Hex)) this.#reads.load(sha256Hex).catch(ignoreUntilNotTrusted)
    return held.known
  }

  /** Notes that a key was used; written at most once a minute. */
  markUsed({ key }: KnownKey): void {
    const held = this.#held.peek(key.sha256Hex)
    if (held === undefined) return
    const usedAt = this.#now()
    if (Math.abs(usedAt.getTime() - held.lastUsedMs) < LAST_USED_EVERY_MS) return
    held.lastUsedMs = usedAt.getTime()
    this.#used.set(key.keyId, { resellerId: key.resellerId, keyId: key.keyId, usedAt })
  }

  forgetReseller(resellerId: string): void {
    this.#forget(resellerId, () => true)
  }

  async #writeUsed(): Promise<void> {
    if (this.#used.size === 0) return
    const used = this.#used
    this.#used = new Map()
    await updateKeysLastUsedAcrossResellers(this.#database.systemPool, [...used.values()])
  }

  stopListening(): void {
    for (const stop of this.#stopListening) stop()
  }

  #forget(resellerId: string, matches: (known: KnownKey) => boolean): void {
    this.#dropped?.resellerIds.add(resellerId)
    for (const sha256Hex of this.#heldOf.get(resellerId) ?? []) {
      const held = this.#held.peek(sha256Hex)
      if (held !== undefined && matches(held.known)) this.#held.delete(sha256Hex)
    }
  }

  #forgetAll(): void {
    if (this.#dropped !== undefined) this.#dropped.isEverything = true
    this.#held.clear()
  }

  #hold(sha256Hex: string, held: Held): void {
    const { resellerId } = held.known.caller
    this.#held.set(sha256Hex, held)
    const others = this.#heldOf.get(resellerId)
    if (others === undefined) this.#heldOf.set(resellerId, new Set([sha256Hex]))
    else others.add(sha256Hex)
  }

  #noLongerOf(resellerId: string, sha256Hex: string): void {
    const others = this.#heldOf.get(resellerId)
    others?.delete(sha256Hex)
    if (others?.size === 0) this.#heldOf.delete(resellerId)
  }

  async #readBatch(sha256Hexes: readonly string[]): Promise<Map<string, KnownKey>> {
    const startedMs = this.#now().getTime()
    const dropped: Dropped = { isEverything: false, resellerIds: new Set(), sha256Hexes: new Set() }
    this.#dropped = dropped
    const keys = await selectKeysByHashAcrossResellers(this.#database.systemPool, sha256Hexes).finally(() => {
      this.#dropped = undefined
    })
    const found = new Map(keys.map((key) => [key.sha256Hex, this.#knownKey(key)]))
    for (const sha256Hex of sha256Hexes) {
      const known = found.get(sha256Hex)
      const lastUsedMs = this.#held.peek(sha256Hex)?.lastUsedMs ?? known?.key.lastUsedAt?.getTime() ?? 0
      this.#held.delete(sha256Hex)
      const isDropped =
        dropped.isEverything || dropped.sha256Hexes.has(sha256Hex) || dropped.resellerIds.has(known?.caller.resellerId ?? '')
      if (known !== undefined && !isDropped) this.#hold(sha256Hex, { known, readAtMs: startedMs, lastUsedMs })
    }
    return found
  }

  #knownKey(key: PresentedKey): KnownKey {
    const plan = this.#plans[key.plan]
    return {
      caller: { resellerId: key.resellerId, keyId: key.keyId, scopes: new Set(key.scopes), subClientPin: key.subClientId },
      key,
      limits: {
        external: limitsOfKey(key, plan, 'external'),
        'platform-v1': limitsOfKey(key, plan, 'platform-v1'),
        'sim-billing': limitsOfKey(key, plan, 'sim-billing'),
      },
      expiresAtMs: key.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
    }
  }
}

function ignoreUntilNotTrusted(): void {
  // The key in memory is still trusted; once it is not, the request that needs it reads and meets the error itself.
}
