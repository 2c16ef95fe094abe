import { isLoopback } from '@roadworthy/service-kit/network/loopback'
import type { RunningPlatform } from '../compose.ts'
import type { PlatformSettings } from '../settings/settings.ts'

/**
 * What can be reached from other machines without TLS, and how to change that, in one line for whoever starts the service; `undefined` when nothing
 * can. Devices and people are let in from other machines by default, because that is what they are on; so it is logged.
 */
export function describeExposure(settings: PlatformSettings, ports: RunningPlatform['ports']): string | undefined {
  const { host } = settings
  if (host === 'localhost' || isLoopback(host)) return undefined
  // An address under https means that something in front ends TLS.
  const http = settings.baseUrl?.startsWith('https:') === true ? [] : [`HTTP on port ${ports.http}`]
  const mqtt = ports.mqtt === undefined ? [] : [`MQTT on port ${ports.mqtt}`]
  const open = [...http, ...mqtt]
  if (open.length === 0) return undefined
  return `open to other machines without TLS (HOST ${host}): ${open.join(', ')}. --host 127.0.0.1 keeps it to this machine; docs/operations.md describes how to add TLS`
}
