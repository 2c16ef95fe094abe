// Goal: when an action is done, the SIM shows what its operator reports of it, for one call at most, and whatever becomes of that call changes nothing
// else. Method: the background work over a real database, both adapters against the emulator, which counts calls.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openSimDesk } from '../test-sim-desk.ts'

const desk = await openSimDesk({ after }, { isEmulated: true })
const { call, emulator, simOf, untilSettled, knownSim } = desk

/** Answers the SIM when the action is over, and how many calls reached the operator meanwhile. */
async function act(id: string, action: string) {
  const before = (await emulator.state()).calls.count
  assert.equal((await call('POST', `/sims/${id}/${action}`, {})).status, 200)
  await untilSettled(id)
  const { status, operator_status: word, ip_address: address } = await simOf(id)
  return { status, word, address, calls: (await emulator.state()).calls.count - before }
}

test('a change that is done at once is asked about once', async () => {
  const { id } = await knownSim('cisco', 'active')
  assert.equal((await simOf(id)).operator_status, 'ACTIVATED')
  const { status, word, calls } = await act(id, 'suspend')
  assert.deepEqual([status, word, calls], ['suspended', 'DEACTIVATED', 2])
})

test('what the look-up read is not asked for again', async () => {
  const { id } = await knownSim('cisco', 'active')
  await emulator.fault({ kind: 'hang_up_after', method: 'PUT', path: '*devices*', count: 1 })
  const { status, word, calls } = await act(id, 'suspend')
  assert.deepEqual([status, word, calls], ['suspended', 'DEACTIVATED', 2])
})

test('of a job platform the SIM is asked about when its job is done', async () => {
  const { id } = await knownSim('airtel', 'active')
  const before = (await simOf(id)).operator_status
  const { status, word } = await act(id, 'safe-custody')
  assert.equal(status, 'safe_custody')
  assert.notEqual(word, before)
  assert.match(word ?? '', /custody/i)
})

test('a question that fails leaves the action done, and the word to the next synchronisation', async () => {
  const { id, iccid } = await knownSim('cisco', 'active')
  await emulator.fault({ kind: 'error', method: 'GET', path: '*devices*', count: 1 })
  const { status, word, calls } = await act(id, 'suspend')
  assert.deepEqual([status, word, calls], ['suspended', 'ACTIVATED', 2])
  const { rows } = await desk.database.systemPool.query(`select from jobs where kind = 'sim_action'`)
  assert.equal(rows.length, 0, 'nothing is tried again')
  await desk.see('cisco', iccid)
  assert.equal((await simOf(id)).operator_status, 'DEACTIVATED')
})

test('an answer that lags does not take the state back', async () => {
  const { id, iccid } = await knownSim('airtel', 'active')
  const word = (await simOf(id)).operator_status ?? assert.fail('no word')
  await emulator.patch({ sims: [{ iccid, word }] })
  assert.equal((await act(id, 'safe-custody')).status, 'safe_custody')
  const { history } = (await call('GET', `/sims/${id}/history`)).body
  assert.deepEqual(
    history.flatMap(({ change, status }) => (change === 'details' ? [] : status)),
    ['safe_custody', 'active'],
  )
})
