import { numberedSlug, slugFromName } from '@roadworthy/contracts/sub-client-slug'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import { assertMetadata } from './sub-client.ts'
import { insertSubClient, selectFreeSlug } from './sub-clients.sql.ts'

export type NewSubClient = {
  readonly subClientId: string | undefined
  readonly name: string
  readonly contactEmail: string | undefined
  readonly contactPhone: string | undefined
  readonly metadata: Readonly<Record<string, unknown>>
}

/** Candidates are looked up this many at a time, over so many rounds: enough for 2,000 sub-clients of one name. */
const CANDIDATES_PER_ROUND = 20
const MAX_ROUNDS = 100

/** Returns the id: the given one, or one made from the name. Of two that take the same slug at once, the second gets the next number. */
export async function createSubClient(db: Db, resellerId: string, subClient: NewSubClient, at: Date): Promise<string> {
  assertMetadata(subClient.metadata)
  if (subClient.subClientId !== undefined) {
    const { subClientId } = subClient
    if (await insertSubClient(db, resellerId, { ...subClient, subClientId }, at)) return subClientId
    throw new Problem('already_exists', 'A sub-client with this id exists already.', { details: { field: 'sub_client_id' } })
  }
  const slug = slugFromName(subClient.name)
  let first = 1
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const candidates = Array.from({ length: CANDIDATES_PER_ROUND }, (_, i) => numberedSlug(slug, first + i))
    const subClientId = await selectFreeSlug(db, resellerId, candidates)
    if (subClientId === undefined) first += CANDIDATES_PER_ROUND
    else if (await insertSubClient(db, resellerId, { ...subClient, subClientId }, at)) return subClientId
  }
  throw new Problem('already_exists', 'Too many sub-clients have this name; give a sub_client_id.', { details: { field: 'name' } })
}
