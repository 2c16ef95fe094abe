/**
 * Control characters, line breaks, and the marks of Unicode that turn the direction of what stands behind them (UAX #9: embeddings, overrides and isolates). A name
 * with one of them is shown as another one, or breaks the line of a log, a table or an invoice.
 */
const NOT_OF_ONE_LINE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

/** Whether a name is one line of text that is read as it is stored. Also the format `one-line` of schemas. */
export function isOneLine(text: string): boolean {
  return !NOT_OF_ONE_LINE.test(text)
}
