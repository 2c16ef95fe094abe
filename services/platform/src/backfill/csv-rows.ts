// Rows of a CSV file (RFC 4180) of any size, plain or gzip, in UTF-8. A line is bounded, and memory does not grow with the file.

import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { CsvError, type Info, parse } from 'csv-parse'
import { BackfillProblem } from './past-source.ts'

/** A row of 256 columns has 256 characters for each; Traccar's longest text has 4,000. */
const MAX_ROW_CHARACTERS = 65_536
const ROWS_AT_ONCE = 1_000
const SNIFFED_BYTES = 65_536
/** What spreadsheets write before the header, and take for no row. The byte order mark is in bytes here. */
const NAMED_SEPARATOR = /^(?:\u00ef\u00bb\u00bf)?"?sep=([,;\t])"?(?:\r\n|\n|\r)/i

/** `line` is the one that the row ends on: a cell in quotes may hold line ends. */
export type CsvRow = { readonly line: number; readonly cells: readonly string[] }
export type CsvPart = { readonly rows: readonly CsvRow[]; readonly share: number }

/** The header is the first row. Blank lines, and rows of empty cells only, are passed over. */
export async function* readCsv(file: string): AsyncGenerator<CsvPart, void> {
  const { bytes, isGzip, head } = await sniff(file)
  const source = createReadStream(file)
  const named = NAMED_SEPARATOR.exec(head)?.[1]
  const parser = parse({
    delimiter: named ?? separatorOf(head),
    from_line: named === undefined ? 1 : 2,
    // Excel's CSV (Macintosh) ends lines with CR alone. Where lines end otherwise, a CR is part of its cell.
    record_delimiter: head.includes('\n') ? ['\r\n', '\n'] : ['\r\n', '\n', '\r'],
    trim: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    // Spreadsheets write the empty rows below a table as separators alone.
    skip_records_with_empty_values: true,
    max_record_size: MAX_ROW_CHARACTERS,
  })
  const reading = isGzip ? pipeline(source, createGunzip(), decoded, parser) : pipeline(source, decoded, parser)
  // The loop below gets the failure from the parser; this only keeps it from being unhandled as well.
  reading.catch(() => undefined)
  let rows: CsvRow[] = []
  let line = 0
  try {
    for await (const { info, record } of parser as AsyncIterable<{ info: Info; record: string[] }>) {
      line = info.lines
      rows.push({ line, cells: record })
      if (rows.length < ROWS_AT_ONCE) continue
      yield { rows, share: source.bytesRead / bytes }
      rows = []
    }
    if (rows.length > 0) yield { rows, share: 1 }
  } catch (error) {
    throw problemOf(error, file, line)
  } finally {
    source.destroy()
    parser.destroy()
  }
}

async function sniff(file: string): Promise<{ bytes: number; isGzip: boolean; head: string }> {
  try {
    await using handle = await open(file)
    const stat = await handle.stat()
    if (!stat.isFile()) throw new BackfillProblem(`${file} is no file.`)
    if (stat.size === 0) throw new BackfillProblem(`${file} is empty.`)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(SNIFFED_BYTES), 0, SNIFFED_BYTES, 0)
    // RFC 1952, and not by its name.
    const isGzip = buffer[0] === 0x1f && buffer[1] === 0x8b
    const head = buffer.subarray(0, bytesRead)
    return { bytes: stat.size, isGzip, head: (isGzip ? await unpackedHead(head) : head).toString('latin1') }
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (cause instanceof BackfillProblem || code === undefined) throw cause
    throw new BackfillProblem(`${file} cannot be read (${code}).`, { cause })
  }
}

/** The beginning of what is in a gzip file; nothing where the file is damaged, which reading it reports. */
async function unpackedHead(head: Buffer): Promise<Buffer> {
  const gunzip = createGunzip()
  gunzip.on('error', () => undefined)
  gunzip.end(head)
  try {
    for await (const chunk of gunzip) return chunk as Buffer
    return Buffer.alloc(0)
  } catch {
    return Buffer.alloc(0)
  } finally {
    gunzip.destroy()
  }
}

/** Comma, semicolon or tab: the one that the first line has most of. */
function separatorOf(head: string): string {
  const first = head.trimStart().split(/\r\n|\n|\r/, 1)[0] ?? ''
  const countOf = (separator: string) => first.split(separator).length
  return [',', ';', '\t'].reduce((most, each) => (countOf(each) > countOf(most) ? each : most))
}

/** The bytes as text. Throws where they are no UTF-8, or hold a character that no text may have. */
async function* decoded(source: AsyncIterable<Buffer>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const chunk of source) yield storable(decoder.decode(chunk, { stream: true }))
  yield storable(decoder.decode())
}

class NotText extends Error {}

function storable(text: string): string {
  if (text.includes('\0')) throw new NotText()
  return text
}

function problemOf(error: unknown, file: string, line: number): unknown {
  const after = line === 0 ? 'in its first line' : `after line ${line}`
  const { code } = error as { code?: string }
  if (error instanceof NotText || code === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
    return new BackfillProblem(`${file} is no text in UTF-8, ${after} or soon behind it. Save it as "CSV UTF-8".`, { cause: error })
  }
  if (code?.startsWith('Z_') === true) return new BackfillProblem(`${file} is a gzip file that is cut or damaged.`, { cause: error })
  if (!(error instanceof CsvError)) return error
  if (error.code === 'CSV_MAX_RECORD_SIZE')
    return new BackfillProblem(`${file}: ${after} is a row of more than ${MAX_ROW_CHARACTERS} characters.`, { cause: error })
  if (error.code === 'CSV_QUOTE_NOT_CLOSED')
    return new BackfillProblem(`${file}: a quote is opened and never closed, ${after}.`, { cause: error })
  return new BackfillProblem(`${file}: ${after} a quote stands where none may be. In a cell in quotes, write each quote twice.`, {
    cause: error,
  })
}
