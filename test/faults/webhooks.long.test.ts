// Goal: nothing that was to be sent is lost when the service is killed while it sends it, and what comes twice comes with the same
// `webhook-id`. Method: a receiver that holds every request until the service has been killed with SIGKILL, then answers; rounds of it.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import http, { type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { FREE_PORTS, RunningService } from '../e2e/running-service.ts'
import { callPatiently as call } from '../support/running-platform.ts'
import { ok, type Row } from '../support/service.ts'
import { wholeText } from '../support/whole-text.ts'

const FLAGS = ['--no-demo', ...FREE_PORTS, '--webhook-allow-cidrs', '127.0.0.0/8']
const ROUNDS = 2
const EVENTS_PER_ROUND = 12
/** What is claimed by a process that was killed is claimed by nobody else for a minute. */
const SENT_WITHIN_MS = 240_000

test('what was being sent when the service was killed is sent when it is back, with the same id', { timeout: 1_200_000 }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'roadworthy-webhooks-'))
  // Run as root, PostgreSQL belongs to another account, which must be able to enter.
  chmodSync(folder, 0o755)
  const bodies = new Map<string, string>()
  const answered = new Map<string, number>()
  const held: ServerResponse[] = []
  let isHolding = true
  let repeats = 0
  const receiver = http.createServer(async (request, response) => {
    const body = await wholeText(request)
    // Of a service that was killed within it: nothing was sent.
    if (body === undefined) return
    const id = String(request.headers['webhook-id'])
    assert.equal((JSON.parse(body) as Row)['id'], id)
    if (bodies.has(id)) repeats++
    assert.equal(bodies.get(id) ?? body, body, 'what is repeated is the same')
    bodies.set(id, body)
    if (isHolding) return void held.push(response)
    answered.set(id, (answered.get(id) ?? 0) + 1)
    response.writeHead(204).end()
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  let service = new RunningService(join(folder, 'data'), FLAGS)
  t.after(async () => {
    await service.signal('SIGTERM')
    receiver.closeAllConnections()
    receiver.close()
    rmSync(folder, { recursive: true, force: true })
  })
  await service.ready()
  const platform = async (method: string, path: string, body?: unknown) => {
    const { base_url: baseUrl, api_key: key } = service.credentials()
    return ok<Row>(await call(baseUrl, method, `/api/v1${path}`, { key, ...(body === undefined ? {} : { body }) }))
  }
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  const { id } = (await platform('POST', '/webhooks', { url, eventTypes: ['webhook.test'] }))['webhook'] as { id: string }
  const sent: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    isHolding = true
    for (let i = 0; i < EVENTS_PER_ROUND; i++) sent.push(String((await platform('POST', `/webhooks/${id}/test`))['eventId']))
    while (held.length === 0) await sleep(20)
    await service.signal('SIGKILL')
    isHolding = false
    for (const response of held.splice(0)) response.destroy()
    service = new RunningService(join(folder, 'data'), FLAGS)
    await service.ready()
    for (const startedAtMs = performance.now(); answered.size < sent.length; await sleep(100)) {
      assert.ok(performance.now() - startedAtMs < SENT_WITHIN_MS, `${answered.size} of ${sent.length} were sent`)
    }
  }
  assert.deepEqual([...answered.keys()].sort(), [...sent].sort())
  assert.ok(repeats > 0, 'something was under way when the service was killed')
  t.diagnostic(`${sent.length} events over ${ROUNDS} kills, all sent; ${repeats} came again, each with its id`)
})
