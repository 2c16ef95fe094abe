// Which failures go away by themselves.

/** Of Node: the other side, the way to it, and what this machine has run out of (open files, ports, room on a disk). */
const OUTAGE_CODES = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'ENOENT', 'EAI_AGAIN'],
  ...['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN'],
  ...['EMFILE', 'ENFILE', 'EADDRNOTAVAIL', 'ENOSPC'],
])
/**
 * PostgreSQL classes: 08 connection, 28 a connection that is refused, 53 resources, 57 operator intervention (shutdown, statement timeout), 58 system; 25006
 * read-only; 3D000 no such database; 55P03 lock timeout; 40 rollback.
 */
const OUTAGE_SQLSTATE = /^(08|28|53|57|58|40)|^25006$|^3D000$|^55P03$/
/** Where PostgreSQL refuses connections to a database that takes none at the moment, or none of this role, under codes that statements have too. */
const CONNECTION_REFUSED = 'CheckMyDatabase'

const INTERNAL_ERROR = 'XX000'
/**
 * How Citus reports that a node went away within a statement, under the code of an internal error: it lost a node of the transaction; the coordinator itself
 * ends while it waits for a node; libpq has lost a node, and gives no code. Citus does not translate its messages.
 */
const LOST_NODE = /^failure on connection marked as essential|^postmaster was shut down, exiting|^server closed the connection unexpectedly/

/** Whether trying the same request later may help: the database or another part is away, overloaded or restarting. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, routine } = error as { code?: unknown; routine?: unknown }
  if (routine === CONNECTION_REFUSED) return true
  if (code === INTERNAL_ERROR) return LOST_NODE.test(error.message)
  if (typeof code === 'string' && (OUTAGE_CODES.has(code) || (code.length === 5 && OUTAGE_SQLSTATE.test(code)))) return true
  return /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout/.test(
    error.message,
  )
}
