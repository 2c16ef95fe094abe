// `$DATA_DIR/credentials.json`: what a person or a program needs to reach this instance. The key and the password are known only here.

import { join } from 'node:path'
import { readPrivateJson, writePrivateJson } from '@roadworthy/service-kit/private-json-file'
import { type Static, Type } from 'typebox'

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

export function writeCredentials(dataDir: string, credentials: Credentials): void {
  writePrivateJson(credentialsPath(dataDir), credentials)
}

const RESTORE_HINT = 'to go on from a backup instead, stop this: "npx roadworthy restore --help" describes how'

/** What the first start prints: the secrets for a person who looks at it; where to find them for whatever keeps the output. */
export function firstStartText({ api_key, dashboard, reseller_slug }: Credentials, dataDir: string, isTerminal: boolean): string {
  const secrets = isTerminal
    ? `  API key    ${api_key}\n  dashboard  ${dashboard.email}  password ${dashboard.password}`
    : `  the API key and the password of ${dashboard.email} are in ${credentialsPath(dataDir)}`
  return `first start: reseller ${reseller_slug}\n${secrets}\n  ${RESTORE_HINT}`
}
