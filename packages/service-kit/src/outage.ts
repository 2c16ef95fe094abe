// Which failures go away by themselves.

const OUTAGE_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'ENOENT', 'EAI_AGAIN'])
/** PostgreSQL classes: 08 connection, 53 resources, 57 operator intervention (shutdown, statement timeout), 58 system; 25006 read-only; 55P03 lock timeout; 40 rollback. */
const OUTAGE_SQLSTATE = /^(08|53|57|58|40)|^25006$|^55P03$/

/** Where Citus reports that a node went away within a statement. Its code is that of an internal error. */
const LOST_NODE_ROUTINE = 'MarkRemoteTransactionFailed'

/** Whether trying the same request later may help: the database or another part is away, overloaded or restarting. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, routine } = error as { code?: unknown; routine?: unknown }
  if (routine === LOST_NODE_ROUTINE) return true
  if (typeof code === 'string' && (OUTAGE_CODES.has(code) || (code.length === 5 && OUTAGE_SQLSTATE.test(code)))) return true
  return /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout/.test(
    error.message,
  )
}
