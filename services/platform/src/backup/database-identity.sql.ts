import type pg from 'pg'

/**
 * Distinguishes a database from every other: the identifier of its server, which a copy of the server's files shares and a restored one does
 * not, and its name.
 */
export async function selectIdentity(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ identity: string }>(
    `select format('%s/%s', (select system_identifier from pg_control_system()), current_database()) as identity`,
  )
  return rows[0]?.identity ?? ''
}
