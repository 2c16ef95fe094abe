import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '@roadworthy/platform/backup/snapshot.sql'
import { onOnePostgres, openTestDatabase } from '@roadworthy/platform/test-support'
import { selectDatabaseFacts } from './database-facts.sql.ts'

// Goal: connections that the roles of the service hold are counted, of which PostgreSQL shows an owner who is no superuser only that they are there.
test(
  'who may not look at the connections of others counts them all the same',
  onOnePostgres('it is about roles of one server'),
  async (t) => {
    const { ownerUrl } = await openTestDatabase(t)
    const clients = await Promise.all([1, 2, 3].map(() => connect(ownerUrl)))
    try {
      const [client] = clients
      assert.ok(client !== undefined)
      // In place of an owner of one's own, as tests sign in as a superuser: a role of PostgreSQL that nobody else here is.
      await client.query('set role pg_signal_backend')
      const { usedConnections } = await selectDatabaseFacts(client)
      assert.ok(usedConnections >= clients.length, String(usedConnections))
    } finally {
      await Promise.all(clients.map((each) => each.end()))
    }
  },
)
