// A process of several, by its roles: what only another one can answer is not asked of it.

import { rolesOf } from '@roadworthy/platform/main/roles'
import type { PlatformConfiguration } from '@roadworthy/platform/main/settings/settings'
import { describeFailure } from '../failure.ts'
import { type Finding, okay, skip, wrong } from '../finding.ts'
import { request } from '../http-client.ts'
import { checkBroker, checkEngine } from './check-others.ts'

export type ProcessTarget = {
  readonly configuration: PlatformConfiguration
  /** In place of the settings. */
  readonly engineUrl?: string | undefined
  readonly mqttUrl?: string | undefined
}

/** Of one without the role api: it makes no credentials, and answers nothing but its health. */
export async function checkProcessWithoutApi({ configuration, ...given }: ProcessTarget): Promise<Finding[]> {
  const { settings } = configuration
  const engineUrl = given.engineUrl ?? settings.engineUrl
  const isReceiver = rolesOf(settings).has('receivers')
  const mqttUrl = given.mqttUrl ?? settings.mqttBrokerUrl ?? (isReceiver ? `mqtt://127.0.0.1:${settings.mqttPort}` : undefined)
  return [
    ...['credentials', 'api', 'api key', 'clock'].map((name) => skip(name, 'ask where ROLES has api')),
    ...(await checkReadiness(`http://127.0.0.1:${settings.port}`)),
    engineUrl === undefined
      ? skip('engine', 'ROLES has neither api nor worker')
      : await checkEngine(engineUrl, engineKeyFor(engineUrl, configuration)),
    mqttUrl === undefined ? noBroker() : await checkBroker(mqttUrl),
  ]
}

/** The key is for the engine that the settings name, and is sent to no other. */
export function engineKeyFor(url: string, configuration: PlatformConfiguration | undefined): string | undefined {
  return configuration?.settings.engineUrl?.replace(/\/+$/, '') === url.replace(/\/+$/, '') ? configuration.secrets.engineKey : undefined
}

/** The embedded broker is where the role receivers is. */
export function noBroker(): Finding {
  return skip('mqtt', 'ask where ROLES has receivers')
}

/** Each of the service's own checks by its name. */
export async function checkReadiness(baseUrl: string): Promise<Finding[]> {
  const why = 'What needs this part waits, or is refused, until it answers.'
  const fix = 'The log of the service has the reason; the other findings here may as well.'
  try {
    const { body, status } = await request(`${baseUrl}/readyz`)
    const checks = Object.entries((body['checks'] ?? {}) as Record<string, { ok: boolean; detail: string }>)
    const named = [{ name: 'ready', ok: status === 200, detail: String(body['status'] ?? status) }].concat(
      checks.map(([name, check]) => ({ name: `ready: ${name}`, ...check })),
    )
    return named.map(({ name, ok, detail }) => (ok ? okay(name, detail) : wrong(name, { detail, why, fix })))
  } catch (error) {
    return [wrong('ready', { detail: describeFailure(error).message, why, fix })]
  }
}
