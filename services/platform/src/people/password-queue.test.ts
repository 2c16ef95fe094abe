import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PasswordQueue, type PasswordSlot, type Waiting } from './password-queue.ts'

/** Checked in no time. */
const CHEAP = 'scrypt$2$1$1$AAAA$AAAA'

/** Holds a slot, and notes when its turn has come. */
function enter(queue: PasswordQueue, waiting: Waiting, order: string[], label: string, run?: (slot: PasswordSlot) => Promise<unknown>) {
  return queue.inSlot(waiting, async (slot) => {
    await (run?.(slot) ?? slot.check('wrong', CHEAP))
    order.push(label)
  })
}

const stranger = (i: number): Waiting => ({ isKnown: false, name: `block ${i}` })

test('of those who are not known eight may wait, two of one block, and no number of them takes the place of one who is known', async () => {
  const queue = new PasswordQueue()
  const order: string[] = []
  const entered = Array.from({ length: 300 }, (_, i) => enter(queue, stranger(i), order, `stranger ${i}`))
  const known = enter(queue, { isKnown: true, name: 'a@x.example' }, order, 'known')
  const settled = await Promise.allSettled([...entered, known])
  assert.equal(settled.filter(({ status }) => status === 'fulfilled').length, 9)
  for (const each of settled) if (each.status === 'rejected') assert.equal(each.reason.code, 'overloaded')
  // The first was being checked; whoever is known comes next.
  assert.equal(order.indexOf('known'), 1)

  const sameBlock = await Promise.allSettled(Array.from({ length: 300 }, () => enter(queue, stranger(1), order, 'same')))
  assert.equal(sameBlock.filter(({ status }) => status === 'fulfilled').length, 2)
})

test('those who are known do not starve the others, and no one of them holds more than two slots', async () => {
  const queue = new PasswordQueue()
  const order: string[] = []
  const known = Array.from({ length: 8 }, (_, i) => ({ isKnown: true, name: `${i}@x.example` }))
  await Promise.all([...known.map((each) => enter(queue, each, order, 'known')), enter(queue, stranger(1), order, 'stranger')])
  assert.ok(order.indexOf('stranger') < 5, order.join(' '))
  const one = await Promise.allSettled(Array.from({ length: 5 }, () => enter(queue, { isKnown: true, name: 'a' }, order, 'one')))
  assert.equal(one.filter(({ status }) => status === 'fulfilled').length, 2)
})

test('a slot is free again after a failure', async () => {
  const queue = new PasswordQueue()
  const fail = () => Promise.reject(new Error('away'))
  for (let i = 0; i < 20; i++) await assert.rejects(enter(queue, stranger(1), [], 'failed', fail), { message: 'away' })
  await enter(queue, stranger(1), [], 'well')
})
