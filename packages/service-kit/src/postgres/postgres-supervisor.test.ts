import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linesOfFailure } from './postgres-supervisor.ts'

const at = '2026-11-29 07:11:09.132 UTC [4344]'
const ending = [
  `${at} LOG:  startup process (PID 4344) exited with exit code 1`,
  `${at} LOG:  terminating any other active server processes`,
  `${at} LOG:  shutting down due to startup process failure`,
  `${at} LOG:  database system is shut down`,
]

test('of a server that did not start the lines with the reason are shown, which are not its last ones', () => {
  const fatal = `${at} FATAL:  could not open directory "pg_notify": No such file or directory`
  assert.deepEqual(linesOfFailure([`${at} LOG:  starting PostgreSQL`, fatal, ...ending].join('\n')), [fatal])
  assert.deepEqual(linesOfFailure([`${at} LOG:  starting PostgreSQL`, ...ending].join('\n')), ending)
})
