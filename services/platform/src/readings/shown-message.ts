import type { DeviceMessage, UnderstoodValue } from '@roadworthy/contracts/platform-v1/device-messages'
import { type SignalName, signals } from '@roadworthy/signals/registry'
import { wireKeyOf } from '@roadworthy/signals/wire-names'
import { hideSecret } from './message-recorder.ts'
import type { KeptMessage } from './messages.sql.ts'
import type { SelectedReading } from './reading.read.sql.ts'
import { readingId } from './reading-id.ts'
import { toWireAttributes, toWireImplausible, toWireSignals, toWireStates } from './wire-reading.ts'

/**
 * The newest of what was recorded and of what is stored, each message once: what was stored while nobody recorded is shown by its reading alone.
 * Pure.
 */
export function mergeMessages(kept: readonly KeptMessage[], readings: readonly SelectedReading[], limit: number): DeviceMessage[] {
  const byId = new Map(readings.map((reading) => [readingId(reading), reading]))
  const recorded = kept.map((message) => toRecorded(message, byId.get(message.readingId ?? '')))
  const seen = new Set(kept.map((message) => message.readingId))
  const others = [...byId].filter(([id]) => !seen.has(id)).map(([id, reading]) => toStored(id, reading))
  // A stable sort: of one moment the newest number comes first, as it came.
  return [...recorded, ...others].sort((a, b) => Date.parse(b.receivedAt) - Date.parse(a.receivedAt)).slice(0, limit)
}

function toRecorded(message: KeptMessage, reading: SelectedReading | undefined): DeviceMessage {
  const { error } = message
  return {
    id: `msg-${message.messageNo}`,
    receivedAt: message.receivedAt.toISOString(),
    receiver: message.receiver ?? null,
    status: message.status,
    readingId: message.readingId ?? null,
    ...contentOf(reading),
    warnings: [...message.warnings],
    error: error === undefined ? null : { code: error.code, message: error.message, field: error.field ?? null },
    body: message.body,
    bodyBytes: message.bodyBytes,
    isBodyCut: message.isBodyCut,
  }
}

function toStored(id: string, reading: SelectedReading): DeviceMessage {
  return {
    id,
    receivedAt: reading.receivedAt.toISOString(),
    receiver: null,
    status: 'stored',
    readingId: id,
    ...contentOf(reading),
    warnings: [],
    error: null,
    body: null,
    bodyBytes: null,
    isBodyCut: false,
  }
}

function contentOf(reading: SelectedReading | undefined): Pick<DeviceMessage, 'recordedAt' | 'understood' | 'keptUnread'> {
  if (reading === undefined) return { recordedAt: null, understood: [], keptUnread: {} }
  const { extra = {}, ...attributes } = toWireAttributes(reading)
  const implausible = toWireImplausible(reading, 'engine')
  const values = { ...positionOf(reading), ...toWireSignals(reading, 'engine'), ...toWireStates(reading), ...attributes }
  const understood = Object.entries(values).map(([key, value]): UnderstoodValue => {
    return { key, value, unit: unitOf.get(key) ?? null, implausible: implausible.includes(key) }
  })
  return { recordedAt: new Date(reading.recordedAtMs).toISOString(), understood, keptUnread: JSON.parse(JSON.stringify(extra), hideSecret) }
}

function positionOf({ latitude, longitude }: SelectedReading): Record<string, number> {
  return latitude === undefined || longitude === undefined ? {} : { latitude, longitude }
}

const unitOf = new Map(
  Object.keys(signals).map((name) => {
    const { key, unit } = wireKeyOf(name as SignalName, 'engine')
    return [key, unit] as const
  }),
)
