// Lines and rows of a text or CSV file, gzip or plain, one at a time: memory does not grow with the file.
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { RecordingProblem } from './recording.ts'

/** Longest line that still passes for a row. */
const MAX_LINE_CHARACTERS = 1_048_576

/** Fields of each row, trimmed, the header first. A last row that its recorder did not finish is yielded as it stands. */
export async function* csvRows(path: string): AsyncGenerator<string[]> {
  for await (const line of textLines(path)) if (line.trim() !== '') yield splitRow(line)
}

/** Every line, empty ones too, so that the first is line 1. */
export async function* textLines(path: string): AsyncGenerator<string> {
  const text = new PassThrough({ encoding: 'utf8' })
  // First, so that a file that is not there fails here and not as an error event that nobody waits for yet.
  const isCompressed = await isGzip(path)
  const source = createReadStream(path)
  const reading = isCompressed ? pipeline(source, createGunzip(), text) : pipeline(source, text)
  // The reader below sees the failure as the stream's own; this only keeps it from being unhandled as well.
  reading.catch(() => {})
  let rest = ''
  try {
    for await (const chunk of text as AsyncIterable<string>) {
      const parts = (rest + chunk).split(/\r?\n/)
      rest = parts.pop() ?? ''
      if (rest.length > MAX_LINE_CHARACTERS) throw new RecordingProblem(`${path}: a line is longer than ${MAX_LINE_CHARACTERS} characters`)
      yield* parts
    }
  } finally {
    source.destroy()
    text.destroy()
  }
  if (rest !== '') yield rest
}

/** By its first two bytes (RFC 1952), not by its name. */
async function isGzip(path: string): Promise<boolean> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0)
  return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b
}

/** Splits at commas, or at another separator, outside double quotes (RFC 4180, without line breaks inside a field). */
export function splitRow(line: string, separator = ','): string[] {
  const plain = line.replace(/^\uFEFF/, '')
  if (!plain.includes('"')) return plain.split(separator).map((field) => field.trim())
  const fields: string[] = []
  let field = ''
  let quoted = false
  for (let i = 0; i < plain.length; i++) {
    const character = plain.charAt(i)
    if (character === '"' && quoted && plain.charAt(i + 1) === '"') {
      field += '"'
      i++
    } else if (character === '"') quoted = !quoted
    else if (character === separator && !quoted) {
      fields.push(field.trim())
      field = ''
    } else field += character
  }
  return [...fields, field.trim()]
}
