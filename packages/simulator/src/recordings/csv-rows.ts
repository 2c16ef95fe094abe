// Lines and rows of a text or CSV file, gzip or plain, one at a time: memory does not grow with the file.
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { type Duplex, PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { CsvError, type Parser, parse } from 'csv-parse'
import { RecordingProblem } from './recording.ts'

/** Longest line that still passes for a row. */
const MAX_LINE_CHARACTERS = 1_048_576

/** A row and the line that it ends on; a quoted field may hold line ends. */
export type NumberedRow = { readonly line: number; readonly fields: readonly string[] }

/**
 * Fields of each row, trimmed, the header first: as many rows at once as one read of the file has, because what is awaited for each row costs more than the row. A
 * last row that its recorder did not finish is yielded as it stands.
 */
export async function* csvRows(path: string, separator = ','): AsyncGenerator<readonly (readonly string[])[]> {
  for await (const rows of rowsAtOnce(path, separator)) yield rows.map(({ fields }) => fields)
}

const SEPARATORS = [',', ';', '\t'] as const

/** Of comma, semicolon and tab the one that the first line with text has most of; undefined for a file without text. */
export async function separatorOf(path: string): Promise<string | undefined> {
  for await (const text of textLines(path)) {
    if (text.trim() === '') continue
    if (text.includes('\0')) throw new RecordingProblem(`${path}: it is no CSV in UTF-8; spreadsheets write one as "CSV UTF-8"`)
    const countOf = (separator: string) => text.split(separator).length
    return SEPARATORS.reduce((most, each) => (countOf(each) > countOf(most) ? each : most))
  }
  return undefined
}

/** Rows by RFC 4180 that are not blank, with or without a byte order mark; a quote within a field that did not begin with one is a character. */
export async function* numberedRows(path: string, separator = ','): AsyncGenerator<NumberedRow> {
  for await (const rows of rowsAtOnce(path, separator)) yield* rows
}

async function* rowsAtOnce(path: string, separator: string): AsyncGenerator<readonly NumberedRow[]> {
  let rows: NumberedRow[] = []
  const parser = parse({
    delimiter: separator,
    record_delimiter: ['\r\n', '\n'],
    bom: true,
    trim: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: MAX_LINE_CHARACTERS,
    on_record: (fields: string[], { lines }) => {
      countAsFirst(parser)
      rows.push({ line: lines, fields })
      // Taken: the parser is not to keep it.
      return null
    },
  })
  // Each write reports its own failure; an event without a listener would end the process.
  parser.on('error', () => {})
  try {
    await using reading = await readInto(path, new PassThrough())
    for await (const chunk of reading.stream as AsyncIterable<Buffer>) {
      await settled((done) => parser.write(chunk, done))
      yield rows
      rows = []
    }
    await settled((done) => parser.end(done))
    yield rows
  } catch (error) {
    throw problemOf(error, path)
  }
}

/**
 * For each row with more or fewer fields than the first the parser makes an error with a trace, and drops it: where rows end with a comma and the header does
 * not, that was half of the work of reading a file. A row that is the first differs from none.
 */
function countAsFirst({ info }: Parser): void {
  ;(info as { records: number }).records = 0
}

function settled(start: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => start((error) => (error ? reject(error) : resolve())))
}

/** What is wrong with a file is reported with its name; an error without a code is a bug. */
function problemOf(error: unknown, path: string): unknown {
  const { code } = error as { code?: string }
  if (error instanceof RecordingProblem || code === undefined) return error
  if (!(error instanceof CsvError)) return new RecordingProblem(`${path}: it cannot be read (${code})`, { cause: error })
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') return new RecordingProblem(`${path}: a quote is opened and never closed`)
  if (error.code === 'CSV_MAX_RECORD_SIZE') return tooLong(path)
  return error
}

function tooLong(path: string): RecordingProblem {
  return new RecordingProblem(`${path}: a line is longer than ${MAX_LINE_CHARACTERS} characters`)
}

/** Every line, empty ones too, so that the first is line 1. */
export async function* textLines(path: string): AsyncGenerator<string> {
  let rest = ''
  try {
    await using reading = await readInto(path, new PassThrough({ encoding: 'utf8' }))
    for await (const chunk of reading.stream as AsyncIterable<string>) {
      const parts = (rest + chunk).split(/\r?\n/)
      rest = parts.pop() ?? ''
      if (rest.length > MAX_LINE_CHARACTERS) throw tooLong(path)
      yield* parts
    }
  } catch (error) {
    throw problemOf(error, path)
  }
  if (rest !== '') yield rest
}

/** The file, unpacked, flows into the stream until that is read or disposed of. */
async function readInto<Stream extends Duplex>(path: string, stream: Stream) {
  // First, so that a file that is not there fails here and not as an error event that nobody waits for yet.
  const isCompressed = await isGzip(path)
  const source = createReadStream(path)
  const reading = isCompressed ? pipeline(source, createGunzip(), stream) : pipeline(source, stream)
  // Whoever reads sees the failure as the stream's own; this only keeps it from being unhandled as well.
  reading.catch(() => {})
  const dispose = async () => {
    source.destroy()
    stream.destroy()
  }
  return { stream, [Symbol.asyncDispose]: dispose }
}

/** By its first two bytes (RFC 1952), not by its name. */
async function isGzip(path: string): Promise<boolean> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0)
  return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b
}
