// `$DATA_DIR/credentials.json`: what a person or a program needs to reach this instance. The key and the password are known only here.

import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { readPrivateJson, writePrivateJson } from '@roadworthy/service-kit/process/private-json-file'
import type { Logger } from '@roadworthy/service-kit/telemetry/log'
import { type Static, Type } from 'typebox'
import { hostAndPort, isEveryAddress, localUrlOf } from './settings/address-settings.ts'

/** DESIGN §6 gives the form. The secrets are null where an earlier start, with another data folder, was the one that showed them. */
const CredentialsSchema = Type.Object({
  base_url: Type.String(),
  engine_url: Type.String(),
  mqtt_url: Type.String(),
  reseller_slug: Type.String(),
  api_key: Type.Union([Type.String(), Type.Null()]),
  dashboard: Type.Object({ url: Type.String(), email: Type.String(), password: Type.Union([Type.String(), Type.Null()]) }),
})
export type Credentials = Static<typeof CredentialsSchema>

export function credentialsPath(dataDir: string): string {
  return join(dataDir, 'credentials.json')
}

/** What an earlier start wrote, or `undefined` when there is none or it is damaged. */
export function readCredentials(dataDir: string): Credentials | undefined {
  return readPrivateJson(credentialsPath(dataDir), CredentialsSchema)
}

/**
 * Of two processes that make their first start at once with one folder, one has the secrets. The other has none to write, and leaves those that stand there
 * by now: this file is the only copy.
 */
export function writeCredentials(dataDir: string, credentials: Credentials): void {
  const there = credentials.api_key === null ? readCredentials(dataDir) : undefined
  const secrets = there?.reseller_slug === credentials.reseller_slug ? there : credentials
  const { email, password } = secrets.dashboard
  const dashboard = { ...credentials.dashboard, email, password }
  writePrivateJson(credentialsPath(dataDir), { ...credentials, api_key: secrets.api_key, dashboard })
}

/** The addresses of this start, beside secrets that are written already: without them, as on a full disk, the service runs all the same. */
export function writeAddresses(dataDir: string, credentials: Credentials, log: Pick<Logger, 'warn'>): void {
  try {
    writeCredentials(dataDir, credentials)
  } catch (err) {
    log.warn({ err }, `${credentialsPath(dataDir)} cannot be written: commands look for this instance where it was at an earlier start`)
  }
}

/**
 * Credentials of another database, which this folder was used with before, get a name of their own: nobody else has them. The new name; undefined where
 * others stand there by now.
 */
export function setAside(dataDir: string, credentials: Credentials, now: Date): string | undefined {
  const path = credentialsPath(dataDir)
  if (readCredentials(dataDir)?.api_key !== credentials.api_key) return undefined
  const aside = join(dataDir, `credentials-until-${now.toISOString().replaceAll(/[:.]/g, '-')}.json`)
  renameSync(path, aside)
  return aside
}

/**
 * The same with the addresses at which a program beside the service reaches it. Those that others get may lead through a proxy that is not there yet, or to a
 * name that this machine does not resolve. `mqttPort`: of the embedded broker.
 */
export function withLocalAddresses(
  credentials: Credentials,
  { host, httpPort, mqttPort }: { readonly host: string; readonly httpPort: number; readonly mqttPort: number | undefined },
): Credentials {
  const base_url = localUrlOf(host, httpPort)
  if (mqttPort === undefined) return { ...credentials, base_url }
  return {
    ...credentials,
    base_url,
    mqtt_url: `mqtt://${hostAndPort({ host: isEveryAddress(host) ? '127.0.0.1' : host, port: mqttPort })}`,
  }
}

const RESTORE_HINT = 'to go on from a backup instead, stop this: "npx roadworthy restore --help" describes how'

/** What the first start prints: the secrets for a person who looks at it; where to find them for whatever keeps the output. */
export function firstStartText({ api_key, dashboard, reseller_slug }: Credentials, dataDir: string, isTerminal: boolean): string {
  const secrets = isTerminal
    ? `  API key    ${api_key}\n  dashboard  ${dashboard.email}  password ${dashboard.password}`
    : `  the API key and the password of ${dashboard.email} are in ${credentialsPath(dataDir)}`
  return `first start: reseller ${reseller_slug}\n${secrets}\n  ${RESTORE_HINT}`
}
