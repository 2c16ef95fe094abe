// Of a connection, what must be read back and must not be read by whoever gets hold of the database.

import type { Sealer } from '@roadworthy/service-kit/process/sealed'

/** The purpose of the sealer that these functions take. */
export const STREAM_SECRETS = 'stream connections'

export type StreamSecrets = {
  readonly password: string | undefined
  /** Of the client's certificate, PEM. */
  readonly key: string | undefined
}

export const streamSecretsContext = (resellerId: string) => `secrets ${resellerId}`

export function sealStreamSecrets(sealer: Sealer, resellerId: string, { password, key }: StreamSecrets): Buffer {
  return sealer.seal(JSON.stringify({ password, key }), streamSecretsContext(resellerId))
}

export function openStreamSecrets(sealer: Sealer, resellerId: string, sealed: Buffer): StreamSecrets {
  const { password, key } = JSON.parse(sealer.open(sealed, streamSecretsContext(resellerId))) as Partial<StreamSecrets>
  return { password, key }
}
