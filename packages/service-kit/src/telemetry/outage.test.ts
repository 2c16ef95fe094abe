// Goal: a caller is asked to repeat exactly what may succeed later. Method: errors as drivers, PostgreSQL and Citus gave them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOutage } from './outage.ts'

const errorOf = (message: string, code?: string, routine?: string) =>
  Object.assign(new Error(message), code === undefined ? {} : { code }, routine === undefined ? {} : { routine })

const OUTAGES: [code: string | undefined, message: string, routine?: string][] = [
  ['ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:5432'],
  ['EHOSTUNREACH', 'connect EHOSTUNREACH 10.0.0.7:5432'],
  ['ENETUNREACH', 'connect ENETUNREACH 10.0.0.7:5432 - Local (0.0.0.0:0)'],
  ['EMFILE', 'connect EMFILE 127.0.0.1:5432 - Local (undefined:undefined)'],
  ['ENOSPC', 'ENOSPC: no space left on device, write'],
  ['57P01', 'terminating connection due to unexpected postmaster exit'],
  ['57P03', 'the database system is starting up'],
  ['55000', 'database "fleet" is not currently accepting connections', 'CheckMyDatabase'],
  ['42501', 'permission denied for database "fleet"', 'CheckMyDatabase'],
  ['3D000', 'database "fleet" does not exist'],
  ['28000', 'no pg_hba.conf entry for host "10.0.0.7", user "roadworthy_app", database "fleet", no encryption'],
  ['28P01', 'password authentication failed for user "roadworthy_app"'],
  ['08006', 'connection to the remote node app@10.0.0.7:5432 failed with the following error: Connection refused'],
  ['40P01', 'deadlock detected'],
  ['55P03', 'canceling statement due to lock timeout'],
  ['25006', 'cannot execute INSERT in a read-only transaction'],
  ['XX000', 'failure on connection marked as essential: 10.0.0.7:5432'],
  ['XX000', 'postmaster was shut down, exiting'],
  ['XX000', 'server closed the connection unexpectedly\n\tThis probably means the server terminated abnormally'],
  [undefined, 'Connection terminated unexpectedly'],
  [undefined, 'timeout exceeded when trying to connect'],
]

const FAULTS: [code: string | undefined, message: string][] = [
  ['23505', 'duplicate key value violates unique constraint "devices_pkey"'],
  ['42P01', 'relation "things" does not exist'],
  ['42501', 'permission denied for table things'],
  ['55000', 'currval of sequence "things_id_seq" is not yet defined in this session'],
  ['22P05', 'unsupported Unicode escape sequence'],
  ['XX000', 'cache lookup failed for relation 16385'],
  ['ERR_ASSERTION', 'expected'],
  [undefined, 'Cannot read properties of undefined'],
]

for (const [code, message, routine] of OUTAGES)
  test(`may be repeated: ${code ?? 'no code'}, ${message.split('\n')[0]}`, () => {
    assert.equal(isOutage(errorOf(message, code, routine)), true)
  })

for (const [code, message] of FAULTS)
  test(`fails again: ${code ?? 'no code'}, ${message}`, () => {
    assert.equal(isOutage(errorOf(message, code)), false)
  })

test('what is no error is no outage', () => {
  for (const thrown of [undefined, null, 'ECONNREFUSED', { code: 'ECONNREFUSED' }]) assert.equal(isOutage(thrown), false)
})
