import type { Database } from '@roadworthy/service-kit/postgres/db'
import { isServed } from '../limits/plans.ts'
import { type BrokerLogin, selectBrokerLoginsAcrossResellers } from './broker-logins.read.sql.ts'

const LOGINS_PER_PAGE = 1_000

/** The living devices of one reseller or of all, by reseller and id. */
export async function* allBrokerLogins(database: Database, resellerId?: string): AsyncGenerator<BrokerLogin> {
  for (let after: BrokerLogin | undefined; ; ) {
    const page = await selectBrokerLoginsAcrossResellers(database.systemPool, { resellerId, after, limit: LOGINS_PER_PAGE })
    yield* page
    if (page.length < LOGINS_PER_PAGE) return
    after = page.at(-1)
  }
}

/** Whether the embedded broker would let the device in with its password. */
export function maySignIn({ status, subscription, subClientStatus }: BrokerLogin): boolean {
  return status !== 'suspended' && isServed(subscription) && (subClientStatus ?? 'active') === 'active'
}
