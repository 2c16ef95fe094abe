// Goal: a process that is killed anywhere between deciding on a message and storing what came of it leaves one message with its recipient, or, where it
// was killed just before the mail server was called, none and a row that says so. Method: a process of its own does the work and stops at its nth step,
// where it is killed; another takes over. Once for every step there is.

import assert from 'node:assert/strict'
import path from 'node:path'
import { after, test } from 'node:test'
import { databaseUrls } from '@roadworthy/service-kit/db'
import { startMailServer } from '../main/test-mail-server.ts'
import { killAtStep } from '../test-kill-at-step.ts'
import { openTestDatabase, TEST_SECRET_KEY } from '../test-support.ts'
import { openNotificationDesk } from './test-notification-desk.ts'
import type { NotificationProcessTask } from './test-notification-process.ts'

const SCRIPT = path.join(import.meta.dirname, 'test-notification-process.ts')
const MAX_STEPS = 60
const NEVER = MAX_STEPS + 1

const { database, ownerUrl } = await openTestDatabase({ after })
const { app, system } = databaseUrls(ownerUrl, TEST_SECRET_KEY)
const { url: mailUrl, received } = await startMailServer({ after })
const desk = await openNotificationDesk({ after }, database, { isMailing: false, notify: async () => false })
const recipients = [await desk.addPerson('usr-anna')]
await desk.addRule({ recipients })

async function killAt(stopAtStep: number): Promise<string | undefined> {
  const task: NotificationProcessTask = { urls: { app, system }, mailUrl, at: desk.bench.deps.now().toISOString(), stopAtStep }
  const where = await killAtStep(SCRIPT, task)
  // The claim of a process that was killed is over.
  desk.later(1)
  return where
}

test('killed at every step, a message is sent once or said to be uncertain', async (t) => {
  const places: string[] = []
  const lost: (string | undefined)[] = []
  for (let step = 1; step <= MAX_STEPS; step++) {
    const vehicleId = await desk.bench.addVehicle()
    await desk.report(vehicleId, [{ type: 'coolant_high', severity: 'high' }])
    await desk.relay()
    const before = { mails: received.length, rows: (await desk.log()).length }
    const where = await killAt(step)
    assert.equal(await killAt(NEVER), undefined)
    const mails = received.length - before.mails
    const rows = (await desk.log()).slice(before.rows)
    assert.equal(rows.length, 1, `killed ${where}`)
    const [row] = rows
    assert.ok(
      row?.status === 'sent' ? mails === 1 : row?.status === 'uncertain' && mails <= 1,
      `killed ${where}: ${row?.status}, ${mails} mails`,
    )
    if (mails === 0) lost.push(where)
    if (where === undefined) break
    places.push(`${where}: ${row?.status}`)
  }
  t.diagnostic(`${places.length} places: ${places.join(', ')}`)
  // Between the row that says it is being sent and the call: nobody can tell that from after the call, so nothing is sent again.
  assert.deepEqual(lost, ['after database.tenantPool.query', 'before notices.notify'])
  assert.ok(places.includes('after notices.notify: uncertain'))
})
