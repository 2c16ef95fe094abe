// Whether the hosts that settings name have an address.

import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { PlatformConfiguration } from '@roadworthy/platform/main/settings/settings'
import { type Finding, okay, wrong } from '../finding.ts'

export type NamedHost = { readonly setting: string; readonly host: string }

/** Those that the service itself asks. Hosts of streams, webhooks and gateways are of its resellers, and in the database. */
export function namedHosts({ settings, secrets }: Pick<PlatformConfiguration, 'settings' | 'secrets'>): NamedHost[] {
  const named: readonly (readonly [string, string | undefined])[] = [
    ['BASE_URL', settings.baseUrl],
    ['DATABASE_URL', secrets.databaseUrl],
    ['DATABASE_SESSION_URL', secrets.databaseSessionUrl],
    ['ENGINE_URL', settings.engineUrl],
    ['MQTT_BROKER_URL', settings.mqttBrokerUrl],
    ['HISTORY_S3_URL', settings.historyS3Bucket === undefined ? undefined : settings.historyS3Url],
    ['SMTP_URL', secrets.smtpUrl],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', settings.otelSdkDisabled ? undefined : settings.otelExporterOtlpEndpoint],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', settings.otelSdkDisabled ? undefined : settings.otelExporterOtlpTracesEndpoint],
  ]
  return named.flatMap(([setting, url]) => (url === undefined ? [] : [{ setting, host: new URL(url).hostname }]))
}

export async function checkNames(hosts: readonly NamedHost[]): Promise<Finding> {
  const named = hosts.filter(({ host }) => isIP(host.replace(/^\[|\]$/g, '')) === 0)
  const looked = await Promise.all(named.map(async (each) => ({ ...each, code: await codeOf(each.host) })))
  const missing = looked.filter(({ code }) => code !== undefined)
  if (missing.length === 0)
    return okay('dns', named.length === 0 ? 'no setting names a host' : `found ${named.map(({ host }) => host).join(', ')}`)
  return wrong('dns', {
    detail: `no address for ${missing.map(({ setting, host, code }) => `${host} of ${setting} (${code})`).join(', ')}.`,
    why: 'The service cannot reach it, and tries again and again.',
    fix: 'Check the spelling; getent hosts NAME has to answer on this machine, in a container that of its network.',
  })
}

async function codeOf(host: string): Promise<string | undefined> {
  try {
    await lookup(host)
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'no answer'
  }
}
