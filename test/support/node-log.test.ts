// Goal: an error in the log of a node is seen whole, so that what is expected can be distinguished from what is not.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorsIn } from './node-log.ts'

const at = (pid: number) => `2026-12-01 04:48:47.433 UTC [${pid}]`

test('an error has its details and its statement, of a session and of a process that is of no database', () => {
  const ofSession = [
    `${at(1)} test_locks_db_1 ERROR:  deadlock detected`,
    `${at(1)} test_locks_db_1 DETAIL:  Process 1 waits for ShareLock`,
    '\tProcess 2: update readings',
    `${at(1)} test_locks_db_1 STATEMENT:  update readings`,
  ]
  const ofDaemon = [
    `${at(2)}  ERROR:  server closed the connection unexpectedly`,
    '\t\tThis probably means the server terminated abnormally',
    `${at(2)}  CONTEXT:  Citus maintenance daemon for database 16384 user 10`,
  ]
  const note = `${at(3)}  LOG:  checkpoint starting: time`
  const log = [note, ...ofSession, note, ...ofDaemon, note, `${at(4)} roles FATAL:  the end`, ''].join('\n')
  assert.deepEqual(errorsIn(log), [ofSession.join('\n'), ofDaemon.join('\n'), `${at(4)} roles FATAL:  the end`])
})
