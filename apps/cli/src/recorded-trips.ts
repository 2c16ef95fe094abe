// Recordings of trips as the observations that prognostics learns from.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Observation } from '@roadworthy/prognostics/inputs/observation'
import { type SignalValues, signalsByWireKey } from '@roadworthy/signals/registry'
import { detectFormat, openRecording, type RecordingFormat } from '@roadworthy/simulator/recordings/open-recording'
import type { RecordedValues } from '@roadworthy/simulator/recordings/recording'

/** Recordings may have ten readings a second; a tracker sends two at most. */
const AT_MOST_EVERY_S = 0.45

export async function readTrip(file: string, format: RecordingFormat | undefined): Promise<Observation[]> {
  const observations: Observation[] = []
  let dueS = 0
  for await (const { offsetS, record } of openRecording(file, format ?? (await detectFormat(file)))) {
    if (offsetS < dueS) continue
    dueS = offsetS + AT_MOST_EVERY_S
    observations.push({ recordedAtMs: Math.round(offsetS * 1000), signals: signalsOf(record), lamps: {}, dtcCodes: undefined })
  }
  return observations
}

/** In canonical units; what is no signal is left out. */
function signalsOf(record: RecordedValues): SignalValues {
  const values: SignalValues = {}
  for (const [key, value] of Object.entries(record)) {
    const known = signalsByWireKey.get(key)
    if (known !== undefined && typeof value === 'number') values[known.name] = value * known.scale
  }
  return values
}

/** Of the names and contents of the files, whatever order they were named in. */
export async function digestOf(files: readonly string[]): Promise<string> {
  const lines: string[] = []
  for (const file of files) {
    const hash = createHash('sha256')
    await pipeline(createReadStream(file), hash)
    lines.push(`${basename(file)} ${hash.digest('hex')}\n`)
  }
  return createHash('sha256').update(lines.sort().join('')).digest('hex')
}
