// Goal: what an operator does seldom with a running instance works too: password links, host names, SIMs. Method: as in command-line.test.ts,
// of which this is the part that takes longer.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { roadworthy } from '../support/command-line.ts'
import { makeSim } from '../support/make-sim.ts'
import { callPatiently as call } from '../support/running-platform.ts'
import { callerAt, ok } from '../support/service.ts'
import { node, type OwnInstance, startOwnInstance } from './own-instance.ts'

let instance: OwnInstance
let folder: string
let baseUrl: string
let run: OwnInstance['run']
let json: OwnInstance['json']

before(async () => {
  instance = await startOwnInstance()
  ;({ folder, baseUrl, run, json } = instance)
})

after(async () => {
  await instance.stop()
})

const tenantCalls = (key: string) => ({
  simBilling: callerAt(`${baseUrl}/api/sim-billing`, key),
  external: callerAt(`${baseUrl}/api/external`, key),
})

test('a person sets a password by a link that is printed, and the log names who printed it', async () => {
  const setPassword = async (url: unknown, password: string) => {
    const { pathname, hash } = new URL(String(url))
    const body = { token: hash.slice(1), password }
    return { pathname, status: (await call(baseUrl, 'POST', '/api/v1/session/password', { body })).status }
  }
  const invited = await json('users', 'invite', '--reseller', 'roadworthy', '--email', 'ben@fleet.example', '--role', 'viewer')
  assert.deepEqual(await setPassword(invited['url'], 'correct horse battery'), { pathname: '/invitation', status: 200 })
  const reset = await json('users', 'reset-password', '--email', 'Ben@fleet.example')
  assert.deepEqual(await setPassword(reset['url'], 'staple battery horse'), { pathname: '/password', status: 200 })
  assert.equal((await setPassword(reset['url'], 'another good one')).status, 404)
  assert.equal((await run('users', 'reset-password', '--email', 'nobody@fleet.example')).code, 4)

  const { total, users } = await json('users', 'list', '--reseller', 'roadworthy')
  const listed = (users as { email: string; role: string; status: string }[]).map(({ email, role, status }) => `${email} ${role} ${status}`)
  assert.deepEqual([total, listed.at(-1)], [listed.length, 'ben@fleet.example viewer active'])
  assert.equal((await run('users', 'list', '--reseller', 'nobody')).code, 4)
  assert.equal((await run('users', 'invite', '--reseller', 'roadworthy', '--email', 'x@y.example', '--role', 'sub_client_viewer')).code, 2)

  const { api_key: apiKey } = await json('keys', 'create', '--reseller', 'roadworthy', '--name', 'audit', '--scopes', '*')
  const { body } = await call(baseUrl, 'GET', `/api/v1/audit?objectId=${invited['user_id']}`, { key: String(apiKey) })
  assert.deepEqual(
    (body['entries'] as unknown as { action: string; actor: { type: string; id: string } }[]).map(({ action, actor }) => [
      action,
      actor.type,
    ]),
    [
      ['user.password_reset', 'user'],
      ['user.password_reset_requested', 'cli'],
      ['user.invitation_accepted', 'user'],
      ['user.invited', 'cli'],
    ],
  )
})

test('a host name that a brand lists is shown with its record, confirmed, taken over and withdrawn', async () => {
  // Nobody can prove it: DNS has no names under `example` (RFC 2606).
  const host = 'fleet.acme.example'
  const { api_key: eastKey } = await json('resellers', 'create', '--slug', 'east-fleet', '--name', 'East Fleet')
  const { api_key: westKey } = await json('resellers', 'create', '--slug', 'west-fleet', '--name', 'West Fleet')
  for (const [key, name] of [
    [eastKey, 'East'],
    [westKey, 'West'],
  ]) {
    const { status, body } = await call(baseUrl, 'PUT', '/api/v1/brands/reseller', { key: String(key), body: { name, hosts: [host] } })
    assert.equal(status, 200, JSON.stringify(body))
  }
  const listed = async () => {
    const { total, hosts } = (await json('brands', 'hosts')) as { total: number; hosts: Record<string, unknown>[] }
    assert.equal(total, hosts.length)
    const ours = hosts.filter((each) => each['host'] === host)
    return new Map(ours.map((each) => [each['reseller_slug'], [each['status'], each['proved_by']]]))
  }
  const pending = ['pending', null]
  const proved = ['proved', 'operator']
  const of = (east: unknown[], west: unknown[]) => new Map([...Object.entries({ 'east-fleet': east, 'west-fleet': west })])
  assert.deepEqual(await listed(), of(pending, pending))
  assert.deepEqual(await json('brands', 'confirm', host, '--reseller', 'east-fleet'), {
    ...{ host, reseller_slug: 'east-fleet', taken_from: null },
  })
  assert.deepEqual(await listed(), of(proved, pending))
  const taken = await run('brands', 'confirm', host, '--reseller', 'west-fleet')
  assert.deepEqual([taken.code, taken.stdout], [0, `${host} shows the brand of west-fleet. east-fleet used it until now.\n`], taken.stderr)
  assert.deepEqual(await listed(), of(pending, proved))
  const table = (await run('brands', 'hosts')).stdout
  assert.match(table, /^HOST +RESELLER +SUB-CLIENT +STATUS +BY +RECORD$/m)
  assert.match(table, /^fleet\.acme\.example +west-fleet +- +proved +operator +_roadworthy-challenge\.fleet\.acme\.example TXT \S+$/m)
  assert.deepEqual(await json('brands', 'withdraw', host, '--reseller', 'west-fleet'), { host, reseller_slug: 'west-fleet' })
  assert.deepEqual(await listed(), of(pending, pending))
  const unknown = await run('brands', 'confirm', 'nobody.acme.example', '--reseller', 'east-fleet')
  assert.deepEqual([unknown.code, unknown.stderr], [4, 'error: No brand of east-fleet lists the host nobody.acme.example.\n'])
})

test('a SIM is listed, shown, assigned and asked for, and one that is nobody’s is reported with exit code 4', async () => {
  const made = await json('resellers', 'create', '--slug', 'sim-fleet', '--name', 'SIM Fleet')
  const key = String(made['api_key'])
  const { simBilling, external } = tenantCalls(key)
  ok(await external('POST', '/sub-clients', { body: { name: 'North', sub_client_id: 'north' } }))
  const sim = await makeSim(simBilling, '8991000900000000777')
  // The key is another reseller's than that of the data folder, at the same address.
  const as = (...args: string[]) => json('--api-key', key, 'sims', ...args)
  assert.equal((await as('list'))['total'], 1)
  const { sim: assigned } = (await as('assign', sim.iccid, '--sub-client', 'north')) as { sim: { id: string; sub_client_id: string } }
  assert.deepEqual([assigned.id, assigned.sub_client_id], [sim.id, 'north'])
  const shown = await run('--api-key', key, 'sims', 'show', sim.id)
  assert.match(shown.stdout, /Status +inventory/)
  const refused = await run('--api-key', key, 'sims', 'suspend', sim.id)
  assert.deepEqual([refused.code, /invalid_transition/.test(refused.stderr)], [1, true])
  const [nobodys, nothing] = await Promise.all([
    run('--api-key', key, 'sims', 'show', 'sim-00000000000000000000'),
    run('--api-key', key, 'sims', 'assign', sim.id),
  ])
  assert.deepEqual([nobodys.code, nothing.code], [4, 2])
})

test('the examples of up and engine, which run until they are stopped, have settings that hold', async () => {
  const { stdout } = await run('help', 'engine')
  const found = [...stdout.matchAll(/^ {2}\$ npx roadworthy (.*)$/gm)].map(([, line = '']) => line)
  assert.notEqual(found.length, 0)
  for (const example of [...found, 'up', 'up --no-demo --port 9000']) {
    const { code, stderr } = await roadworthy([...example.split(' '), '--check-config'], { cwd: folder, node })
    assert.equal(code, 0, `${example}\n${stderr}`)
  }
})
