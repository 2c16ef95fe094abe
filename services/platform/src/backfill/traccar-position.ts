// A row of Traccar's table of positions, as the JSON that a Traccar server forwards of it: there is one mapping, that of the receiver.

import { parseTraccarForward } from '../ingest/receivers/http-trackers/traccar-forward.ts'
import { booleanOf } from '../ingest/receivers/http-trackers/tracker-reading.ts'
import type { PastRecord } from './past-source.ts'

/** Columns of `tc_positions`, all as text; undefined where there is none or it is null. Times are UTC in ISO 8601. */
export const positionColumns = [
  ...(['id', 'protocol', 'deviceid', 'servertime', 'devicetime', 'fixtime', 'valid', 'latitude', 'longitude', 'altitude'] as const),
  ...(['speed', 'course', 'address', 'accuracy', 'attributes', 'network', 'geofenceids'] as const),
] as const
export type PositionColumn = (typeof positionColumns)[number]
export type PositionRow = { readonly [column in PositionColumn]?: string | undefined }

export const REQUIRED_POSITION_COLUMNS = [
  'id',
  'deviceid',
  'fixtime',
  'latitude',
  'longitude',
  'speed',
  'attributes',
] as const satisfies readonly PositionColumn[]

/** A row of `tc_devices`. */
export type TraccarDevice = { readonly id: string; readonly uniqueId: string; readonly name: string }

/** Traccar's own columns take 4,000 characters; what was altered may take more. */
const MAX_JSON_CHARACTERS = 65_536

/** `uniqueId` of the device; undefined where Traccar has the position and not its device. */
export function fromPosition(row: PositionRow, uniqueId: string | undefined): PastRecord {
  const place = `position ${row.id ?? '?'}`
  if (uniqueId === undefined) {
    return { place, refusal: { kind: 'no device', text: `its device ${row.deviceid ?? '?'} is not in tc_devices` } }
  }
  const attributes = jsonOf(row.attributes)
  if (attributes === WRONG) return { place, refusal: { kind: 'attributes', text: 'its attributes are no JSON' } }
  const network = jsonOf(row.network)
  const geofenceIds = jsonOf(row.geofenceids)
  const position = {
    ...{ protocol: row.protocol, deviceTime: row.devicetime, fixTime: row.fixtime, valid: flagOf(row.valid) },
    ...{ latitude: row.latitude, longitude: row.longitude, altitude: row.altitude, speed: row.speed, course: row.course },
    ...{ address: row.address, accuracy: numberOf(row.accuracy), attributes },
    ...(network === WRONG ? {} : { network }),
    ...(geofenceIds === WRONG ? {} : { geofenceIds }),
  }
  const reading = parseTraccarForward({ position, device: { uniqueId } })
  if (reading === undefined) throw new Error('a position with its device gave no reading')
  const { record, unread, unnamedCount } = reading
  return { place, record: { ...record, device_id: uniqueId }, unread: { keys: unread, unnamedCount } }
}

const WRONG = Symbol('no JSON')

function jsonOf(text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined
  if (text.length > MAX_JSON_CHARACTERS) return WRONG
  try {
    return JSON.parse(text) as unknown
  } catch {
    return WRONG
  }
}

/** `t` and `f` are PostgreSQL's, 1 and 0 MySQL's, TRUE and FALSE those of H2. */
function flagOf(text: string | undefined): boolean | undefined {
  const word = text?.toLowerCase()
  return word === 't' ? true : word === 'f' ? false : booleanOf(word)
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined || text === '' ? undefined : Number(text)
}
