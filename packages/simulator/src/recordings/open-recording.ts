import { readCarobd } from './carobd.ts'
import { readCsv } from './csv.ts'
import { csvRows } from './csv-rows.ts'
import { readKit } from './kit.ts'
import type { RecordedReading, Recording } from './recording.ts'

export const recordingFormats = ['carobd', 'kit', 'csv'] as const
export type RecordingFormat = (typeof recordingFormats)[number]

const readers: Record<RecordingFormat, (path: string) => Recording> = { carobd: readCarobd, kit: readKit, csv: readCsv }

/** A recording as a stream of readings; the file is read while it is iterated and closed when that ends, early or not. */
export function openRecording(path: string, format: RecordingFormat): Recording {
  return readers[format](path)
}

/** What a recording seems to be, by its header. A file that is neither of the known loggers' is taken as the generic form. */
export async function detectFormat(path: string): Promise<RecordingFormat> {
  for await (const [header] of csvRows(path)) {
    if (header === undefined) continue
    if (header.some((name) => /^ENGINE_RUN_TI[MN]E\b/.test(name))) return 'carobd'
    return header[0] === 'Time' && header.some((name) => name.startsWith('Engine Coolant Temperature')) ? 'kit' : 'csv'
  }
  return 'csv'
}

/** Some hours of a logger that writes twice a second, in a few MB. */
const MAX_KEPT_READINGS = 20_000

export type MeasuredRecording = { readonly records: number; readonly durationS: number; readonly recording: Recording }

/** Reads a recording through once, to know its length before it is replayed. One that is short is kept, and not read again. */
export async function measureRecording(open: () => Recording): Promise<MeasuredRecording> {
  const kept: RecordedReading[] = []
  let records = 0
  let durationS = 0
  for await (const reading of open()) {
    if (records < MAX_KEPT_READINGS) kept.push(reading)
    records++
    durationS = reading.offsetS
  }
  return { records, durationS, recording: records <= MAX_KEPT_READINGS ? oneByOne(kept) : open() }
}

async function* oneByOne(readings: readonly RecordedReading[]): AsyncGenerator<RecordedReading> {
  yield* readings
}
