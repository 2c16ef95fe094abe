// Which connections speak for which device, from the moment a CONNECT names the device. A device that loses its access is closed
// whether it is signed in or still being checked.

import type { Client } from 'aedes'
import type { DeviceTopics, Sender } from './topics.ts'

/** What `authenticateDevice` knows about who signed in. */
export type DeviceIdentity = {
  readonly resellerId: string
  readonly deviceId: string
  readonly imei: string | undefined
}

/** A device that is signed in, and the SHA-256 of what it proved itself with. */
export type SignedIn = { readonly resellerId: string; readonly deviceId: string; readonly secretSha256: Buffer }

export class Session {
  readonly client: Client
  readonly sender: Sender
  readonly topics: DeviceTopics
  /** Set once signed in. */
  identity: DeviceIdentity | undefined
  secretSha256: Buffer | undefined
  /** Its access changed while it was being checked, or the device came in anew, so the answer of that check is worth nothing. */
  outdated = false
  readonly subscribed = new Set<string>()
  pendingReportCount = 0
  #end: NodeJS.Timeout | undefined

  constructor(client: Client, sender: Sender, topics: DeviceTopics) {
    this.client = client
    this.sender = sender
    this.topics = topics
  }

  /** The secret it signed in with ends then, and the session with it. */
  endAt(validUntil: Date, now: Date): void {
    this.#end = setTimeout(() => this.client.close(), validUntil.getTime() - now.getTime())
  }

  forgetEnd(): void {
    clearTimeout(this.#end)
  }
}

export class Sessions {
  readonly #byDevice = new Map<string, Set<Session>>()

  add(session: Session): void {
    const { deviceId } = session.sender
    const sessions = this.#byDevice.get(deviceId) ?? new Set()
    this.#byDevice.set(deviceId, sessions.add(session))
  }

  delete(session: Session): void {
    const sessions = this.#byDevice.get(session.sender.deviceId)
    sessions?.delete(session)
    if (sessions?.size === 0) this.#byDevice.delete(session.sender.deviceId)
  }

  /**
   * The device has signed in on this connection: those that came before are closed, or outdated while they are checked, whose checks may end later. Sets keep the
   * order of their sessions' CONNECTs.
   */
  closeOlder(newest: Session): void {
    for (const session of this.#byDevice.get(newest.sender.deviceId) ?? []) {
      if (session === newest) return
      session.outdated = true
      if (session.identity !== undefined) session.client.close()
    }
  }

  /** The device was suspended, decommissioned or given another secret: closes what it has open. Returns how many that were. */
  revoke(deviceId: string): number {
    const sessions = [...(this.#byDevice.get(deviceId) ?? [])]
    for (const session of sessions) {
      session.outdated = true
      if (session.identity !== undefined) session.client.close()
    }
    return sessions.length
  }

  /** The answers to those that are being checked may be from before a change: they are refused, and come back. */
  outdateUnsigned(): void {
    for (const session of this.#all()) if (session.identity === undefined) session.outdated = true
  }

  /** Every device that is signed in, with what it proved itself with. */
  signedIn(): SignedIn[] {
    return this.#all().flatMap(({ identity, secretSha256 }) =>
      identity === undefined || secretSha256 === undefined
        ? []
        : [{ resellerId: identity.resellerId, deviceId: identity.deviceId, secretSha256 }],
    )
  }

  #all(): Session[] {
    return [...this.#byDevice.values()].flatMap((sessions) => [...sessions])
  }
}
