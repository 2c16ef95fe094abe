// A certificate is renewed in its files every few weeks, and the broker runs for longer: who connects after that gets the new one.

import { createSecureContext, type Server } from 'node:tls'
import { type Rounds, startRounds } from '@roadworthy/service-kit/pacing/rounds'
import type { MqttLog } from './broker.ts'

export type TlsIdentity = { readonly cert: Buffer; readonly key: Buffer }

export type FollowedCertificate = {
  readonly first: TlsIdentity
  readonly read: () => Promise<TlsIdentity>
  readonly options: { readonly minVersion: 'TLSv1.2' }
  readonly lookEveryMs: number
  readonly log: MqttLog
}

/** Looks into the files until stopped. What cannot be used, such as a certificate whose key is not written yet, is reported once, and the one before stays. */
export function followCertificate(server: Server, { first, read, options, lookEveryMs, log }: FollowedCertificate): Rounds {
  let served = first
  let reported = ''
  const report = (reason: string) => {
    if (reason !== reported) log.warn({ reason }, 'the files of the MQTT certificate cannot be used; the one before is served')
    reported = reason
  }
  const look = async () => {
    const found = await read()
    if (!found.cert.equals(served.cert) || !found.key.equals(served.key)) {
      // It throws where the two do not go together, which would leave the server half changed.
      createSecureContext(found)
      server.setSecureContext({ ...found, ...options })
      served = found
      log.info({}, 'the MQTT certificate was renewed')
    }
    reported = ''
    return lookEveryMs
  }
  return startRounds(look, lookEveryMs, (error) => report((error as Error).message))
}
