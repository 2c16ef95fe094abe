/** PostgreSQL cannot do its work, for whoever asks: 53 no resources, a full disk for one; 57P it is shut down; 58 the system fails; read-only. */
const WHOLE_OUTAGE = /^(53\w{3}|57P\w{2}|58\w{3}|25006)$/
/** An outage is over when nothing failed by it for this long. */
const OVER_AFTER_MS = 30_000

/** Distinguishes the failure that an outage of the database begins with, which is logged with its stack, from the thousands that follow. */
export class OutageLog {
  readonly #lastMsOfCode = new Map<string, number>()

  /** True for every failure that is none of a whole outage. `nowMs` is of any clock that only goes forward. */
  isWorthALine(error: unknown, nowMs: number): boolean {
    const { code } = (error ?? {}) as { code?: unknown }
    if (typeof code !== 'string' || !WHOLE_OUTAGE.test(code)) return true
    const lastMs = this.#lastMsOfCode.get(code)
    this.#lastMsOfCode.set(code, nowMs)
    return lastMs === undefined || nowMs - lastMs > OVER_AFTER_MS
  }
}
