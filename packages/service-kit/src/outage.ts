// Which failures go away by themselves.

const OUTAGE_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'ENOENT', 'EAI_AGAIN'])
/** PostgreSQL classes: 08 connection, 53 resources, 57 operator intervention (shutdown, statement timeout), 58 system; 25006 read-only; 55P03 lock timeout; 40 rollback. */
const OUTAGE_SQLSTATE = /^(08|53|57|58|40)|^25006$|^55P03$/

const INTERNAL_ERROR = 'XX000'
/**
 * How Citus reports that a node went away within a statement, under the code of an internal error: it lost a node of the transaction; the coordinator itself
 * ends while it waits for a node; libpq has lost a node, and gives no code. Citus does not translate its messages.
 */
const LOST_NODE = /^failure on connection marked as essential|^postmaster was shut down, exiting|^server closed the connection unexpectedly/

/** Whether trying the same request later may help: the database or another part is away, overloaded or restarting. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  if (code === INTERNAL_ERROR) return LOST_NODE.test(error.message)
  if (typeof code === 'string' && (OUTAGE_CODES.has(code) || (code.length === 5 && OUTAGE_SQLSTATE.test(code)))) return true
  return /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout/.test(
    error.message,
  )
}
