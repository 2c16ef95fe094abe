import { hash } from 'node:crypto'
import { Transform, type TransformCallback } from 'node:stream'

const WORDS = 8
const NEWLINE = 10

/** Rows that were counted, and the sum of their hashes: the same for the same rows in any order. */
export class RowSum {
  rowCount = 0
  readonly #sums = new Uint32Array(WORDS)

  add(row: Uint8Array | string): void {
    const digest = hash('sha256', row, 'buffer')
    for (let word = 0; word < WORDS; word++) this.#sums[word] = (this.#sums[word] ?? 0) + digest.readUInt32BE(word * 4)
    this.rowCount++
  }

  get digest(): string {
    return [...this.#sums].map((sum) => sum.toString(16).padStart(8, '0')).join('')
  }
}

/**
 * Passes on what COPY writes in its text format, and counts and hashes its rows on the way. The digest is the sum of the SHA-256 of each row, eight words of 32 bits, each
 * modulo 2^32: the same for the same rows in any order, because a table has none, and two equal rows do not cancel out.
 */
export class RowsDigest extends Transform {
  readonly #sum = new RowSum()
  /** The beginning of a row whose end has not come yet. */
  #begun: Buffer[] = []

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let start = 0
    // A newline within a value is written as \n, so that each byte of that value ends a row.
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#add(chunk.subarray(start, end))
      start = end + 1
    }
    if (start < chunk.length) this.#begun.push(chunk.subarray(start))
    done(null, chunk)
  }

  override _flush(done: TransformCallback): void {
    done(this.#begun.length === 0 ? null : new Error('the last row has no end'))
  }

  get rowCount(): number {
    return this.#sum.rowCount
  }

  get digest(): string {
    return this.#sum.digest
  }

  #add(end: Buffer): void {
    this.#sum.add(this.#begun.length === 0 ? end : Buffer.concat([...this.#begun, end]))
    this.#begun = []
  }
}
