// What would become of a message that is in a topic, without it being stored: the same decoding and the same judgement as of those that are
// read. What it names is looked up and never made.

import type { KafkaMessage } from '@roadworthy/kafka/kafka-client'
import { Problem } from '@roadworthy/service-kit/http/problem'
import { normalize, type TimeWindow } from '../../normalize.ts'
import type { FleetDirectory } from '../../resolve.ts'
import { decodeRecord } from './decode-record.ts'

type Judgement = { readonly isTaken: boolean; readonly detail: string }

export type JudgeDeps = {
  readonly directory: Pick<FleetDirectory, 'findDevice' | 'findVehicle'>
  readonly window: TimeWindow
  readonly now: () => Date
}

export async function judgeSample(
  { directory, window, now }: JudgeDeps,
  resellerId: string,
  message: Pick<KafkaMessage, 'key' | 'value' | 'headers' | 'timestamp'>,
): Promise<Judgement> {
  const decoded = decodeRecord(message, { nowMs: now().getTime(), maxAheadMs: window.maxAheadMs })
  if ('poison' in decoded) return { isTaken: false, detail: decoded.poison.reason }
  const { length } = decoded.texts
  const about: string[] = []
  for (const [index, text] of decoded.texts.entries()) {
    const where = length === 1 ? '' : `Record ${index} of ${length}: `
    try {
      about.push(await judgeRecord({ directory, window }, resellerId, JSON.parse(text), decoded.receivedAtMs))
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      return { isTaken: false, detail: `${where}${error.message}` }
    }
  }
  return { isTaken: true, detail: `${length === 1 ? '' : `${length} records. `}${about[0]}` }
}

async function judgeRecord(
  { directory, window }: Pick<JudgeDeps, 'directory' | 'window'>,
  resellerId: string,
  record: unknown,
  receivedAtMs: number,
): Promise<string> {
  const { identity, content } = normalize(record, receivedAtMs, window)
  const recordedAt = new Date(content.recordedAtMs).toISOString()
  const fields = Object.keys(record as object).join(', ')
  if (identity.deviceId !== undefined) {
    const device = await directory.findDevice(resellerId, identity.deviceId)
    if (device === undefined) {
      throw new Problem('device_not_found', `There is no registered device with the id or IMEI ${JSON.stringify(identity.deviceId)}.`)
    }
    if (device.status === 'suspended') throw new Problem('device_suspended', 'The device is suspended; its readings are not taken.')
    return `device ${device.deviceId} at ${recordedAt}, with ${fields}.`
  }
  if (identity.vehicleRef === undefined) throw new Problem('invalid_request', '"device_id" or "vehicle_id" is required.')
  const vehicle = await directory.findVehicle(resellerId, identity.vehicleRef)
  const named =
    vehicle === undefined ? `vehicle ${JSON.stringify(identity.vehicleRef)}, which it would create,` : `vehicle ${vehicle.vehicleId}`
  return `${named} at ${recordedAt}, with ${fields}.`
}
