// Of a connection, what must be read back and must not be read by whoever gets hold of the database.

import type { Sealer } from '@roadworthy/service-kit/process/sealed'

/** The purpose of the sealer that these functions take. */
export const OPERATOR_SECRETS = 'operator connections'

export type OperatorCredentials = Readonly<Record<string, string>>
type Owner = { readonly resellerId: string; readonly connectionId: string }

export const operatorSecretsContext = ({ resellerId, connectionId }: Owner) => `credentials ${resellerId} ${connectionId}`

export function sealCredentials(sealer: Sealer, owner: Owner, credentials: OperatorCredentials): Buffer {
  return sealer.seal(JSON.stringify(credentials), operatorSecretsContext(owner))
}

export function openCredentials(sealer: Sealer, owner: Owner & { readonly secretsSealed: Buffer }): OperatorCredentials {
  return JSON.parse(sealer.open(owner.secretsSealed, operatorSecretsContext(owner))) as OperatorCredentials
}
