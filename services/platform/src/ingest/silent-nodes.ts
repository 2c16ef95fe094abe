// Which nodes of a cluster take connections and answer nothing. What belongs on one is refused at once, so that what came with it, of other nodes, is answered in
// time. Whether the node is back is asked beside that, never with somebody's readings.

import type { Database, NodeAddress } from '@roadworthy/service-kit/postgres/db'
import { NodeHangs } from '../cluster/node-hangs.ts'
import { askNode } from './shards.read.sql.ts'

/** After a question that failed, the next waits for this. One that hangs takes 6 s (`db.ts`). */
const ASK_AGAIN_MS = 1_000

/** SQLSTATE of a statement that ran into `statement_timeout`. */
const QUERY_CANCELED = '57014'
/** Errors of pg and of its pool without a code. */
const UNANSWERED = /Query read timeout|timeout exceeded when trying to connect/

export class SilentNodes {
  readonly #database: Pick<Database, 'onNode'>
  readonly #onSilent: () => void
  /** By address: when it may be asked again. Endless while it is being asked. */
  readonly #askAtMs = new Map<string, number>()

  /** `onSilent`: a node does not answer, or still does not. */
  constructor(database: Pick<Database, 'onNode'>, onSilent: () => void) {
    this.#database = database
    this.#onSilent = onSilent
  }

  /** What a statement for the node is refused with; undefined: it is sent. */
  refusalOf(node: NodeAddress): Error | undefined {
    const address = addressOf(node)
    const askAtMs = this.#askAtMs.get(address)
    if (askAtMs === undefined) return undefined
    if (performance.now() >= askAtMs) void this.#ask(node)
    return new NodeHangs(address)
  }

  /** A statement for the node failed. */
  note(node: NodeAddress, error: unknown): void {
    const address = addressOf(node)
    if (!this.#askAtMs.has(address) && isSilence(error)) void this.#ask(node)
  }

  async #ask(node: NodeAddress): Promise<void> {
    const address = addressOf(node)
    this.#askAtMs.set(address, Number.POSITIVE_INFINITY)
    try {
      await askNode(this.#database, node)
      this.#askAtMs.delete(address)
    } catch (error) {
      // One that refuses is not silent: what belongs on it fails at once by itself.
      if (!isSilence(error)) {
        this.#askAtMs.delete(address)
        return
      }
      this.#askAtMs.set(address, performance.now() + ASK_AGAIN_MS)
      this.#onSilent()
    }
  }
}

function isSilence(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown }
  return code === QUERY_CANCELED || UNANSWERED.test(String(message))
}

const addressOf = ({ host, port }: NodeAddress) => `${host}:${port}`
