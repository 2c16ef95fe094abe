import assert from 'node:assert/strict'
import { test } from 'node:test'
import { simExample } from '@roadworthy/contracts/sim-billing/sims'
import { carryOut, countsByState, reasonOf } from './act-on-sims.ts'
import type { SimResult } from './sim-result.ts'

const sims = Array.from({ length: 7 }, (_, i) => ({ ...simExample, id: `sim-${i}` }))
type Sims = readonly { readonly id: string }[]
const accept = (part: Sims): SimResult[] => part.map(({ id }) => ({ simId: id, status: 'accepted' }))

/** Sends as `send` does, and notes what it was asked. */
function watched(send: (part: Sims) => SimResult[] = accept) {
  const calls: string[][] = []
  const results: SimResult[] = []
  let running = 0
  let most = 0
  return {
    calls,
    results,
    most: () => most,
    send: async (part: Sims) => {
      calls.push(part.map(({ id }) => id))
      running++
      most = Math.max(most, running)
      await Promise.resolve()
      running--
      return send(part)
    },
    onResults: (answered: readonly SimResult[]) => void results.push(...answered),
  }
}

test('each SIM is sent once, some at once, in no more calls than there are slots', async () => {
  const one = watched()
  await carryOut(sims, { perCall: 3, slots: 1, send: one.send }, { isStopped: () => false, onResults: one.onResults })
  assert.deepEqual(one.calls, [['sim-0', 'sim-1', 'sim-2'], ['sim-3', 'sim-4', 'sim-5'], ['sim-6']])
  assert.equal(one.most(), 1)
  assert.equal(one.results.length, sims.length)

  const several = watched()
  await carryOut(sims, { perCall: 1, slots: 4, send: several.send }, { isStopped: () => false, onResults: several.onResults })
  assert.deepEqual(several.calls.flat().sort(), sims.map(({ id }) => id).sort())
  assert.equal(several.most(), 4)
})

test('stopped, it begins no further call, and keeps the results of the one that runs', async () => {
  const watch = watched()
  const isStopped = () => watch.calls.length === 2
  await carryOut(sims, { perCall: 2, slots: 1, send: watch.send }, { isStopped, onResults: watch.onResults })
  assert.deepEqual(
    watch.results.map(({ simId }) => simId),
    ['sim-0', 'sim-1', 'sim-2', 'sim-3'],
  )
})

test('a call that fails ends it; called again with the rest, the same call is sent', async () => {
  let isAway = true
  const watch = watched((part) => {
    if (isAway && part.some(({ id }) => id === 'sim-3')) throw new Error('The service did not answer.')
    return accept(part)
  })
  const sending = { perCall: 3, slots: 1, send: watch.send }
  const watching = { isStopped: () => false, onResults: watch.onResults }
  await assert.rejects(carryOut(sims, sending, watching), /did not answer/)
  assert.equal(watch.results.length, 3)
  isAway = false
  const done = new Set(watch.results.map(({ simId }) => simId))
  await carryOut(
    sims.filter(({ id }) => !done.has(id)),
    sending,
    watching,
  )
  assert.deepEqual(watch.calls[2], watch.calls[1], 'so that it has the same Idempotency-Key')
  assert.deepEqual(watch.results.map(({ simId }) => simId).sort(), sims.map(({ id }) => id).sort())
})

test('a state that forbids it is named in words for people', () => {
  const refusal = (details: Record<string, unknown>) => reasonOf({ code: 'invalid_transition', message: 'of the service', details })
  assert.equal(refusal({ status: 'safe_custody' }), 'This is not possible in its state: Safe custody.')
  assert.match(refusal({ status: 'suspended', suspended_by: 'operator' }), /only the operator can lift that/)
  assert.equal(refusal({ status: 'sold' }), 'of the service', 'a state that is not known here')
  assert.equal(reasonOf({ code: 'conflict', message: 'of the service' }), 'of the service')
})

test('states are counted in their order', () => {
  const states = ['suspended', 'active', 'suspended'] as const
  assert.equal(countsByState(states.map((status) => ({ status }))), 'Active: 1 · Suspended: 2')
})
