// Sends a recording as the device would have: each row at its time, or as fast as the platform takes them.
import { setTimeout as sleep } from 'node:timers/promises'
import type { WireRecord } from './fleet/reading.ts'
import type { Recording } from './recordings/recording.ts'
import { MAX_BATCH_RECORDS, type SendCounts, type Sender } from './senders/sender.ts'

export type ReplayOptions = {
  readonly records: Recording
  readonly sender: Sender
  /** Registered id or IMEI; stands in every record. */
  readonly deviceId: string
  /** Time of the first row. The platform refuses readings more than five minutes ahead: for `max`, start a trip's length ago. */
  readonly startAtMs: number
  /** 1 is life's own pace, 10 is ten times as fast; `max` waits for nothing but the platform. */
  readonly speed: number | 'max'
  readonly signal?: AbortSignal
  /** After every batch that was acknowledged. */
  readonly onProgress?: (progress: ReplayProgress) => void
}

export type ReplayProgress = { readonly records: number; readonly vehicleTimeS: number; readonly counts: SendCounts }
export type ReplayResult = ReplayProgress & { readonly firstAt: string | undefined; readonly lastAt: string | undefined }

/** Rows due within this share a message, so that a fast replay is not one request per row. */
const MIN_WAIT_MS = 200

/** Replays to the end, or until the signal aborts (then it rejects with the signal's reason). Rows are sent in order, each exactly once. */
export async function replay(options: ReplayOptions): Promise<ReplayResult> {
  const { sender, signal, speed } = options
  if (speed !== 'max' && !(speed > 0)) throw new RangeError(`speed must be above 0 or 'max', not ${speed}`)
  const beganMs = Date.now()
  let pending: WireRecord[] = []
  let records = 0
  let vehicleTimeS = 0
  let firstAt: string | undefined
  let lastAt: string | undefined
  const flush = async () => {
    if (pending.length === 0) return
    const batch = pending
    pending = []
    await sender.send(batch, signal)
    records += batch.length
    options.onProgress?.({ records, vehicleTimeS, counts: sender.counts() })
  }
  for await (const { offsetS, record } of options.records) {
    signal?.throwIfAborted()
    if (speed !== 'max') {
      const dueMs = beganMs + (offsetS * 1000) / speed
      if (dueMs - Date.now() > MIN_WAIT_MS) await flush()
      const waitMs = dueMs - Date.now()
      if (waitMs > MIN_WAIT_MS) await sleep(waitMs, undefined, signal ? { signal } : {})
    }
    const timestamp = new Date(options.startAtMs + Math.round(offsetS * 1000)).toISOString()
    pending.push({ device_id: options.deviceId, timestamp, ...record })
    vehicleTimeS = offsetS
    firstAt ??= timestamp
    lastAt = timestamp
    if (pending.length >= MAX_BATCH_RECORDS) await flush()
  }
  await flush()
  return { records, vehicleTimeS, counts: sender.counts(), firstAt, lastAt }
}
