import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogger } from '@roadworthy/service-kit/telemetry/log'
import { ClockWatch } from './clock-watch.ts'

const DATABASE_AT_MS = Date.parse('2026-02-28T23:59:30Z')

test("a clock that parts from the database's is reported once with how far, and once when it goes with it again", async () => {
  const lines: { level: string; msg: string }[] = []
  const log = createLogger('info', { write: (line) => lines.push(JSON.parse(line)) })
  let clockMs = DATABASE_AT_MS
  let answersAfterMs = 0
  const databaseNow = async () => {
    clockMs += answersAfterMs
    return new Date(DATABASE_AT_MS)
  }
  const watch = new ClockWatch({ databaseNow, now: () => new Date(clockMs), log })
  assert.ok(Number.isNaN(watch.offsetMs()))
  const look = async (offsetMs: number) => {
    clockMs = DATABASE_AT_MS + offsetMs
    // The first round is over when it has stopped.
    await watch.startRounds().stop()
    return watch.offsetMs()
  }
  assert.equal(await look(0), 0)
  assert.equal(await look(59_000), 59_000)
  assert.equal(lines.length, 0)
  for (const offsetMs of [-3_600_000, -3_601_000]) assert.equal(await look(offsetMs), offsetMs)
  assert.deepEqual(
    lines.map(({ level, msg }) => [level, msg]),
    [['error', "the clock of this process is 3600 s behind the database's; readings are dated and refused by it. Set both by NTP"]],
  )
  await look(0)
  await look(3_600_000)
  await look(0)
  answersAfterMs = 70_000
  assert.equal(await look(-5_000), 0, 'the database read its clock while it was asked')
  assert.deepEqual(
    lines.slice(1).map(({ msg }) => msg.split(';')[0]),
    [
      "the clock of this process goes with the database's again",
      "the clock of this process is 3600 s ahead of the database's",
      "the clock of this process goes with the database's again",
    ],
  )
})
