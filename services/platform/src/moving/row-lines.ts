// Lines of a file or of COPY, in bounded memory.

import { MoveProblem } from './move-problem.ts'

/** A row is a line. The largest are months of an invoice, of some megabytes. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024
const NEWLINE = 10

/** Lines without their ends, as many at once as have come. `name`: for the refusal. */
export async function* linesOf(source: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<string[], void> {
  let begun: Buffer[] = []
  let begunBytes = 0
  for await (const part of source) {
    const chunk = Buffer.from(part.buffer, part.byteOffset, part.byteLength)
    const lines: string[] = []
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const rest = chunk.subarray(start, end)
      lines.push((begun.length === 0 ? rest : Buffer.concat([...begun, rest])).toString('utf8'))
      begun = []
      begunBytes = 0
      start = end + 1
    }
    if (start < chunk.length) {
      begun.push(chunk.subarray(start))
      begunBytes += chunk.length - start
    }
    if (begunBytes > MAX_LINE_BYTES) throw new MoveProblem(`A line of ${name} has more than ${MAX_LINE_BYTES / 1024 / 1024} MiB.`)
    if (lines.length > 0) yield lines
  }
  if (begunBytes > 0) throw new MoveProblem(`The last line of ${name} has no end.`)
}
