// The policies by which a tenant sees its own rows, as one PostgreSQL has them and as Citus plans them.

import type { Db } from '@roadworthy/service-kit/postgres/db'

const SETTING = `nullif(current_setting('app.resellers', true), '')`

/** As `enable_tenancy` of the migrations makes it: by the sub-select, PostgreSQL reads the setting once a statement. */
const ON_ONE_POSTGRES = `reseller_id = any ((select ${SETTING})::text[])`

/** Citus plans no statement on a distributed table in which there is a sub-select of a policy, of that table's or of another's. The setting is read for each row. */
const ON_A_CLUSTER = `reseller_id = any (${SETTING}::text[])`

export async function usePoliciesOfCluster(db: Db): Promise<void> {
  await replacePolicies(db, { haveSubselect: true, by: ON_A_CLUSTER })
}

export async function usePoliciesOfOnePostgres(db: Db): Promise<void> {
  await replacePolicies(db, { haveSubselect: false, by: ON_ONE_POSTGRES })
}

async function replacePolicies(db: Db, { haveSubselect, by }: { haveSubselect: boolean; by: string }): Promise<void> {
  const { rows } = await db.query<{ name: string }>(
    `select p.polrelid::regclass::text as name from pg_policy p
      where p.polname = 'tenant' and (pg_get_expr(p.polqual, p.polrelid) ilike '%select%') = $1
      order by 1`,
    [haveSubselect],
  )
  for (const { name } of rows) {
    await db.query(`drop policy tenant on ${name}; create policy tenant on ${name} to roadworthy_app using (${by}) with check (${by})`)
  }
}
