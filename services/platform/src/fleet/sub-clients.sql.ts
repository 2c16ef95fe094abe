import type { Db } from '@roadworthy/service-kit/db'
import type { SubClientStatus } from './sub-client.ts'

/** In the order asked, of the resellers of this transaction. */
export async function selectSubClientStatuses(
  db: Db,
  asked: readonly { resellerId: string; reference: string }[],
): Promise<(SubClientStatus | undefined)[]> {
  const { rows } = await db.query<{ status: SubClientStatus | null }>(
    `select s.status
       from unnest($1::text[], $2::text[]) with ordinality as a (reseller_id, reference, position)
       left join sub_clients s on s.reseller_id = a.reseller_id and s.sub_client_id = a.reference
      order by a.position`,
    [asked.map((a) => a.resellerId), asked.map((a) => a.reference)],
  )
  return rows.map(({ status }) => status ?? undefined)
}
