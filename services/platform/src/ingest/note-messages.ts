// Reports to the recorder of messages what became of records. Called for every batch: of a batch with nothing refused, while nobody looks at a device,
// it costs a look at each outcome and keeps nothing.

import { hideSecret, type MessageRecorder, shownBody } from '../readings/message-recorder.ts'
import type { Accepted, BriefOutcome, Inbound, Outcome } from './inbound.ts'
import type { WarnedFields } from './warned-fields.ts'
import { warningsOfOne } from './wire-warnings.ts'

const MAX_REFERENCE_LENGTH = 128

type Notes = {
  readonly recorder: MessageRecorder
  /** Of foreign formats: which keys that nobody reads each device has in its messages already. */
  readonly reported: WarnedFields
}

/**
 * Notes what is refused. Answers how to note the others once it is known whether they are stored; undefined where nobody looks at them, so that
 * their records are not kept for it.
 */
export function noteMessages(
  notes: Notes,
  batch: readonly Inbound[],
  outcomes: readonly (Outcome | BriefOutcome)[],
  nowMs: number,
): ((settled: readonly (Outcome | BriefOutcome)[]) => void) | undefined {
  const { recorder } = notes
  const looked: { readonly index: number; readonly note: (outcome: Outcome) => void }[] = []
  for (const [index, outcome] of outcomes.entries()) {
    const inbound = batch[index]
    if (inbound === undefined) continue
    if (outcome.status === 'refused') {
      const device = inbound.senderDeviceId ?? deviceNamedIn(inbound.record)
      if (device !== undefined) noteOf(recorder, inbound, device, nowMs)?.(outcome)
    } else if ('deviceId' in outcome && outcome.deviceId !== undefined && isLookedAt(notes, inbound, outcome, outcome.deviceId, nowMs)) {
      const note = noteOf(recorder, inbound, outcome.deviceId, nowMs)
      if (note !== undefined) looked.push({ index, note })
    }
  }
  if (looked.length === 0) return undefined
  return (settled) => {
    for (const { index, note } of looked) note(settled[index] as Outcome)
  }
}

/**
 * Who registers a tracker does not look at its messages at that moment. One with keys that nobody reads is noted all the same, once an hour for each key, so
 * that they are found there later.
 */
function isLookedAt({ recorder, reported }: Notes, inbound: Inbound, { warnings }: Accepted, deviceId: string, nowMs: number): boolean {
  const isNews = inbound.unread !== undefined && warnings !== undefined && reported.takeNew(deviceId, warnings, nowMs).length > 0
  return isNews || (recorder.isRecording && recorder.isRecorded(inbound.resellerId, deviceId))
}

/** A message of a known sender that could not be read: nothing of it went to ingest. */
export function noteUnreadMessage(
  recorder: MessageRecorder,
  sender: { readonly resellerId: string; readonly deviceId: string },
  payload: string | Buffer,
  problem: { readonly code: string; readonly message: string },
  nowMs: number,
): void {
  const { resellerId, deviceId } = sender
  if (!recorder.hasRoom(resellerId, deviceId)) return
  const text = typeof payload === 'string' ? payload : payload.subarray(0, MAX_READ_BYTES).toString()
  const error = { code: problem.code, message: problem.message, field: undefined }
  const seen = { subClientPin: undefined, receivedAtMs: nowMs, receiver: 'mqtt', readingId: undefined, warnings: undefined } as const
  recorder.note({ ...seen, resellerId, device: deviceId, status: 'refused', body: shownBody(text, Buffer.byteLength(payload)), error })
}

const MAX_READ_BYTES = 64 * 1024

function noteOf(recorder: MessageRecorder, inbound: Inbound, device: string, nowMs: number): ((outcome: Outcome) => void) | undefined {
  const { resellerId, subClientPin, receiver, receivedAt, sent = inbound.record } = inbound
  if (!recorder.hasRoom(resellerId, device)) return undefined
  const sentBytes = Buffer.byteLength(JSON.stringify(sent) ?? '')
  const body = shownBody(JSON.stringify(sent, hideSecret) ?? '', sentBytes)
  const seen = { resellerId, device, subClientPin, receiver, receivedAtMs: receivedAt?.getTime() ?? nowMs, body }
  return (outcome) => {
    if (outcome.status !== 'refused') {
      const { status, readingId, warnings } = outcome
      return recorder.note({ ...seen, status, readingId, warnings: warningsOfOne(warnings), error: undefined })
    }
    const { code, message, details } = outcome.problem
    // The sender sends it again in a moment.
    if (code === 'unavailable') return
    const field = details?.['field']
    const error = { code, message, field: typeof field === 'string' ? field : undefined }
    recorder.note({ ...seen, status: 'refused', readingId: undefined, warnings: undefined, error })
  }
}

function deviceNamedIn(record: unknown): string | undefined {
  const named = (record as { device_id?: unknown } | null | undefined)?.device_id
  return typeof named === 'string' && named.length <= MAX_REFERENCE_LENGTH ? named : undefined
}
