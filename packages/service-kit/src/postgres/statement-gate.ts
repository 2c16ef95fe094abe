/** Refuses statements that would wait in vain, and is notified of those that did. */
export type StatementGate = {
  /** What a statement is refused with; undefined: it is sent. */
  refusalOf(text: string, values: readonly unknown[] | undefined): Error | undefined
  /** The server gave a statement up after its timeout, or did not answer it. */
  noteTimeout(): void
}
