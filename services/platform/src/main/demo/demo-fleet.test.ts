import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Credentials } from '../credentials.ts'
import { DemoFleet, type DemoFleetOptions } from './demo-fleet.ts'

const credentials: Credentials = {
  ...{ base_url: 'http://localhost:8080', engine_url: 'http://localhost:8090', mqtt_url: 'mqtt://localhost:1883' },
  ...{ reseller_slug: 'acme', api_key: 'rw_live_x' },
  dashboard: { url: 'http://localhost:8080/', email: 'owner@acme.example', password: null },
}

/** What was done with the programs that it made, in order. */
function watch(options: Partial<DemoFleetOptions> = {}) {
  const done: string[] = []
  const fleet = new DemoFleet({
    ...{ dataDir: '/nowhere', isAlways: false, hasOwnBroker: true },
    log: { warn: (text: string) => done.push(text) } as unknown as DemoFleetOptions['log'],
    makeProgram: () => ({
      start: async () => void done.push('started'),
      stop: async () => void done.push('stopped'),
      kill: () => done.push('killed'),
    }),
    ...options,
  })
  return { fleet, done }
}

test('a fleet that is asked for drives until it is stopped, once however often it is asked for', async () => {
  const { fleet, done } = watch()
  assert.equal(fleet.stateFor('acme'), 'unavailable', 'before the platform answers')
  await fleet.open(credentials)
  assert.equal(fleet.stateFor('acme'), 'off')
  await Promise.all([fleet.setRunning(true), fleet.setRunning(true)])
  assert.deepEqual([fleet.stateFor('acme'), done], ['running', ['started']])
  await fleet.setRunning(false)
  await fleet.setRunning(false)
  assert.deepEqual([fleet.stateFor('acme'), done], ['off', ['started', 'stopped']])
  await fleet.setRunning(true)
  await fleet.end()
  await fleet.setRunning(false)
  assert.deepEqual(done, ['started', 'stopped', 'started', 'stopped'], 'it ends with the service, and nothing is done to it after that')
})

test('a fleet that cannot be started is not reported as driving, and can be asked for again', async () => {
  let failures = 1
  const makeProgram = () => ({
    start: async () => {
      if (failures-- > 0) throw new Error('no process to be had')
    },
    stop: async () => undefined,
    kill: () => undefined,
  })
  const { fleet } = watch({ makeProgram })
  await fleet.open(credentials)
  await assert.rejects(fleet.setRunning(true), /no process/)
  assert.equal(fleet.stateFor('acme'), 'off')
  await fleet.setRunning(true)
  assert.equal(fleet.stateFor('acme'), 'running')
})

test('a fleet of the setting drives from the start, and cannot be stopped from within', async () => {
  const { fleet, done } = watch({ isAlways: true, hasOwnBroker: false })
  await fleet.open(credentials)
  assert.deepEqual([fleet.stateFor('acme'), done], ['always', ['started']])
})

test('there is none for other resellers, at the external broker, and without the key of the first start', async () => {
  const { fleet } = watch()
  await fleet.open(credentials)
  assert.equal(fleet.stateFor('rival'), 'unavailable')
  const guest = watch({ hasOwnBroker: false })
  await guest.fleet.open(credentials)
  assert.equal(guest.fleet.stateFor('acme'), 'unavailable')
  const keyless = watch({ isAlways: true })
  await keyless.fleet.open({ ...credentials, api_key: null })
  assert.equal(keyless.fleet.stateFor('acme'), 'unavailable')
  assert.match(keyless.done.join(), /needs the API key/)
})
