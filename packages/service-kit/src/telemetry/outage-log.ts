import { isOutage } from './outage.ts'

/**
 * PostgreSQL cannot do its work, whatever the statement: 28 and 3D it lets nobody in; 53 no resources, a full disk for one; 57P it is shut down; 58 the system
 * fails; read-only.
 */
const WHOLE_OUTAGE = /^(28\w{3}|3D000|53\w{3}|57P\w{2}|58\w{3}|25006)$/
/** Of one statement, which PostgreSQL gave up on while it serves the others. */
const ONE_STATEMENT = /^(40\w{3}|57014)$/
/** A lock was not had in time: of one row, which PostgreSQL then names, or of a whole table, and then every request that needs it fails in turn. */
const LOCK_TIMEOUT = '55P03'
/** An outage is over when nothing failed by it for this long. */
const OVER_AFTER_MS = 30_000
/** Addresses are part of messages, and may be of anybody. */
const MAX_REMEMBERED = 1_000

/** Distinguishes the failure that an outage begins with, which is logged with its stack, from the thousands that follow. */
export class OutageLog {
  readonly #lastMs = new Map<string, number>()

  /**
   * True for every failure that is none of an outage. `line`: all that the line consists of beside the failure; left out where it names more, such as a
   * device. `nowMs` is of any clock that only goes forward.
   */
  isWorthALine(error: unknown, nowMs: number, line?: string): boolean {
    const key = outageOf(error, line)
    if (key === undefined) return true
    const lastMs = this.#lastMs.get(key)
    if (lastMs === undefined && this.#lastMs.size >= MAX_REMEMBERED) this.#lastMs.clear()
    this.#lastMs.set(key, nowMs)
    return lastMs === undefined || nowMs - lastMs > OVER_AFTER_MS
  }
}

/**
 * What PostgreSQL reports concerns everybody. A connection that fails may be to anything: the same line about the same address is not written again, nor
 * is that about a lock which the same statement waited for in vain.
 */
function outageOf(error: unknown, line: string | undefined): string | undefined {
  const { code, where, position } = (error ?? {}) as { code?: unknown; where?: unknown; position?: unknown }
  if (typeof code === 'string' && WHOLE_OUTAGE.test(code)) return code
  if (line === undefined || !(error instanceof Error) || !isOutage(error) || ONE_STATEMENT.test(String(code))) return undefined
  if (code === LOCK_TIMEOUT) return [line, where, position, error.stack].join('\n')
  return `${line}\n${error.message}`
}
