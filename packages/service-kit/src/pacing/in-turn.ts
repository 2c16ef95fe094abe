/**
 * A function whose calls run one after another, whatever came of the one before. When a call resolves, all that earlier calls began is done too: a flush
 * that finds nothing left to write has waited for what another writes.
 */
export function inTurn(run: () => Promise<void>): () => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  return () => {
    last = last.then(run, run)
    return last
  }
}
