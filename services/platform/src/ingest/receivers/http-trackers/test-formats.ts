// For tests only: every format by its name, read from what stands in a golden file.

import { parseFlespiMessage } from './flespi.ts'
import { parseFreematics, parseFreematicsPush } from './freematics.ts'
import { parseOsmand } from './osmand.ts'
import { parseTorque } from './torque.ts'
import { parseTraccarClient } from './traccar-client.ts'
import { parseTraccarForward } from './traccar-forward.ts'
import type { TrackerReading } from './tracker-reading.ts'

export const formats: Readonly<Record<string, (input: unknown, receivedAtMs: number) => readonly TrackerReading[]>> = {
  osmand: (input) => [parseOsmand(new URLSearchParams(String(input)))],
  'traccar-client': (input) => [parseTraccarClient(input)],
  'traccar-forward': (input) => [parseTraccarForward(input) ?? []].flat(),
  flespi: (input) => (Array.isArray(input) ? input : [input]).map(parseFlespiMessage),
  torque: (input) => [parseTorque(new URLSearchParams(String(input))) ?? []].flat(),
  'freematics-push': (input) => [parseFreematicsPush(new URLSearchParams(String(input))) ?? []].flat(),
  freematics: (input, receivedAtMs) => parseFreematics(String(input), receivedAtMs) ?? [],
}
