// Callbacks that were not shown to be from the gateway, for whoever set up the connection: mostly a webhook secret that was mistyped. Anybody who
// knows the address can send them, so they are counted in memory and written periodically. A crash forgets the last few seconds of them.

import { type ConnectionId, updateRefusals } from './connections.sql.ts'
import type { StoredConnection } from './gateway-connection.ts'
import type { PaymentDeps } from './payment-deps.ts'

const WRITE_EVERY_MS = 5_000
/** There is an entry for each connection that exists; this is more than anybody has. */
const MAX_CONNECTIONS = 10_000

type Counted = ConnectionId & { count: number; refusal: string; at: Date; isWaiting: boolean }

export class RefusedCallbacks {
  readonly #deps: Pick<PaymentDeps, 'database' | 'now' | 'log'>
  readonly #counted = new Map<string, Counted>()

  constructor(deps: Pick<PaymentDeps, 'database' | 'now' | 'log'>) {
    this.#deps = deps
  }

  /** Waits for nothing: the answer takes as long as that to a connection which does not exist. */
  note({ resellerId, connectionId }: StoredConnection, refusal: string): void {
    const entry = this.#counted.get(connectionId) ?? { resellerId, connectionId, count: 0, refusal, at: this.#deps.now(), isWaiting: false }
    if (!this.#counted.has(connectionId) && this.#counted.size >= MAX_CONNECTIONS) return
    this.#counted.set(connectionId, entry)
    Object.assign(entry, { count: entry.count + 1, refusal, at: this.#deps.now() })
    if (entry.isWaiting) return
    entry.isWaiting = true
    this.#deps.log.warn({ connectionId, refusal }, 'callbacks are refused')
    setTimeout(() => void this.#write(entry), WRITE_EVERY_MS).unref()
  }

  async #write(entry: Counted): Promise<void> {
    this.#counted.delete(entry.connectionId)
    try {
      await updateRefusals(this.#deps.database.tenantPool(entry.resellerId), entry, entry.count, entry.refusal, entry.at)
    } catch (error) {
      this.#deps.log.error({ err: error, connectionId: entry.connectionId }, 'refused callbacks could not be counted')
    }
  }
}
