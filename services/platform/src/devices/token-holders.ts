// Who sends with a token. Asked of the database for every message, so that a token that is revoked, and a device that is suspended or taken out of service, lets
// nothing more in; messages that come together are one question.

import { Problem } from '@roadworthy/service-kit/http/problem'
import { BatchLoader } from '@roadworthy/service-kit/pacing/batch-loader'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { isServed } from '../limits/plans.ts'
import { hashPresentedToken } from './device-token.ts'
import { selectTokenHoldersAcrossResellers, type TokenHolder } from './device-tokens.sql.ts'

const MAX_TOKENS_PER_READ = 500
/** While one is under way, those that come meanwhile need not wait for its end. */
const READS_AT_ONCE = 2

export class TokenHolders {
  readonly #reads: BatchLoader<string, TokenHolder | undefined>

  constructor(database: Database, now: () => Date) {
    const read = (hexes: readonly string[]) =>
      selectTokenHoldersAcrossResellers(
        database.systemPool,
        hexes.map((hex) => Buffer.from(hex, 'hex')),
        now(),
      )
    this.#reads = new BatchLoader((hexes) => read(hexes), { maxKeys: MAX_TOKENS_PER_READ, concurrency: READS_AT_ONCE })
  }

  /** Undefined for a token that there is not, or no longer. Rejects when the database is away: then nobody may get the answer that it is wrong. */
  async find(presented: string): Promise<TokenHolder | undefined> {
    const hash = hashPresentedToken(presented)
    return hash === undefined ? undefined : await this.#reads.load(hash.toString('hex'))
  }
}

/** Why nothing is taken of a device that is known. */
export function refusalOfHolder({ status, subscription, subClientId, subClientStatus }: TokenHolder): Problem | undefined {
  if (status === 'suspended') return new Problem('device_suspended', 'The device is suspended; its readings are not taken.')
  if (subClientId !== undefined && subClientStatus !== 'active') {
    return new Problem('sub_client_suspended', `The sub-client is ${subClientStatus ?? 'gone'}; its readings are not taken.`)
  }
  if (isServed(subscription)) return undefined
  return new Problem('subscription_required', 'An active or trialing subscription is required.', { actionRequired: 'subscribe' })
}
