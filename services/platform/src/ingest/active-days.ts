// Which devices are known to have a reading stored in the day that it is, so that being active costs ingest something once a day and device.

import { dayAt, type Period } from '@roadworthy/service-kit/time/zoned-time'
import type { Reading } from '../readings/reading.ts'

/** About 20 MB. Beyond it everything is forgotten, and each device costs its share of a statement once more. */
const MAX_DEVICES = 200_000

type Sender = Pick<Reading, 'resellerId' | 'subClientId' | 'deviceId'>
type Known = { readonly resellerId: string; readonly subClientId: string | undefined; readonly day: Period }

export class ActiveDays {
  readonly #known = new Map<string, Known>()
  /** The day it is in each zone. */
  readonly #today = new Map<string, Period>()
  readonly #maxDevices: number

  constructor(maxDevices = MAX_DEVICES) {
    this.#maxDevices = maxDevices
  }

  /** Whether a reading of the device is stored already in the day of this one. True where there is no device. */
  isKnown({ resellerId, subClientId, deviceId }: Sender, receivedAtMs: number): boolean {
    if (deviceId === undefined) return true
    const known = this.#known.get(deviceId)
    if (known === undefined || known.subClientId !== subClientId || known.resellerId !== resellerId) return false
    return receivedAtMs >= known.day.fromMs && receivedAtMs < known.day.untilMs
  }

  dayOf(timeZone: string, receivedAtMs: number): Period {
    const today = this.#today.get(timeZone)
    if (today !== undefined && receivedAtMs >= today.fromMs && receivedAtMs < today.untilMs) return today
    const day = dayAt(timeZone, receivedAtMs)
    this.#today.set(timeZone, day)
    return day
  }

  /** A reading of the device is committed. */
  remember({ resellerId, subClientId, deviceId }: Sender, day: Period): void {
    if (deviceId === undefined) return
    if (this.#known.size >= this.#maxDevices && !this.#known.has(deviceId)) this.#known.clear()
    this.#known.set(deviceId, { resellerId, subClientId, day })
  }
}
