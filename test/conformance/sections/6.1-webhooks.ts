// Who signs and who delivers is in DECISIONS; the receiver here knows Standard Webhooks from its text, not from a library.

import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import http, { type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { assertKeys, assertTime, ok, type Row, refused, type Service, type Tenant } from '../../support/service.ts'

const TOLD_WITHIN_MS = 180_000
const WEBHOOK = [
  ...['id', 'url', 'description', 'eventTypes', 'subClientId', 'headerNames', 'status', 'disabledReason', 'failingSince', 'failureCount'],
  ...['warnedAt', 'lastSuccessAt', 'previousSecretExpiresAt', 'createdAt', 'updatedAt'],
]
const DELIVERY = [
  ...['id', 'webhookId', 'eventId', 'eventType', 'status', 'attemptCount', 'nextAttemptAt', 'lastAttemptAt', 'lastOutcome'],
  ...['lastAnswerStatus', 'deliveredAt', 'createdAt'],
]

type Message = { headers: IncomingHttpHeaders; body: string }

async function startReceiver(t: TestContext): Promise<{ url: string; messages: Message[] }> {
  const messages: Message[] = []
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    messages.push({ headers: request.headers, body: Buffer.concat(chunks).toString() })
    response.writeHead(204).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, messages }
}

async function until<T>(find: () => T | undefined | Promise<T | undefined>, what: string): Promise<T> {
  for (const startedAtMs = performance.now(); performance.now() - startedAtMs < TOLD_WITHIN_MS; await sleep(50)) {
    const found = await find()
    if (found !== undefined) return found
  }
  return assert.fail(`${what} did not come in time`)
}

/** https://www.standardwebhooks.com: HMAC-SHA256 over id, time and body, keyed with the bytes of the secret. */
function assertSigned({ headers, body }: Message, secret: string): void {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  assert.equal(headers['webhook-signature'], `v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
  assert.ok(Math.abs(Date.now() / 1000 - Number(headers['webhook-timestamp'])) < 300)
}

async function addWebhook(tenant: Tenant, body: Row): Promise<{ secret: string; id: string }> {
  const { secret, webhook, ...rest } = ok<{ secret: string; webhook: Row }>(await tenant.platform('POST', '/webhooks', { body }))
  assert.deepEqual(rest, {})
  assertKeys(webhook, WEBHOOK)
  assert.match(secret, /^whsec_[A-Za-z0-9+/]+=*$/)
  return { secret, id: String(webhook['id']) }
}

export function webhooksSection(service: Service): void {
  suite('6.1 Webhooks', () => {
    test('a new alert is sent in the envelope of the specification, signed, once, and stands in the log as it was sent', async (t) => {
      const tenant = await service.newTenant()
      const receiver = await startReceiver(t)
      const { secret, id } = await addWebhook(tenant, { url: receiver.url, eventTypes: ['alert.created'] })
      const telemetry = { vehicleId: 'sick', engine_speed: 900, coolant: 92, red_stop_lamp: 'LAMP_ON', dtc_codes: ['P0217'] }
      const { vehicleId } = ok<Row>(await tenant.platform('POST', '/telemetry', { body: telemetry }))
      const message = await until(() => receiver.messages[0], 'the alert')
      assertSigned(message, secret)
      const event = JSON.parse(message.body) as Row & { data: Row }
      assertKeys(event, ['event', 'timestamp', 'data', 'id', 'sub_client_id'])
      assert.deepEqual([event['event'], event['sub_client_id'], message.headers['webhook-id']], ['alert.created', null, event['id']])
      assertTime(event['timestamp'])
      assert.equal(event.data['vehicleId'], vehicleId)
      for (const field of ['severity', 'message']) assert.equal(typeof event.data[field], 'string', field)
      const { events } = ok<{ events: Row[] }>(await tenant.platform('GET', '/events?type=alert.created'))
      assert.deepEqual(
        events.find((each) => each['id'] === event['id']),
        event,
      )
      const delivery = await until(async () => {
        const { deliveries } = ok<{ deliveries: Row[] }>(await tenant.platform('GET', `/webhooks/${id}/deliveries?eventId=${event['id']}`))
        return deliveries.find(({ status }) => status === 'delivered')
      }, 'the delivery')
      assertKeys(delivery, DELIVERY)
      const detail = ok<Row & { attempts: Row[] }>(await tenant.platform('GET', `/webhooks/${id}/deliveries/${delivery['id']}`))
      assertKeys(detail, [...DELIVERY, 'body', 'attempts'])
      assert.deepEqual([detail['body'], detail.attempts[0]?.['answerStatus']], [message.body, 204])
    })

    test('a test event reaches its endpoint; pausing, resuming, rotating and deleting answer as documented', async (t) => {
      const tenant = await service.newTenant()
      const receiver = await startReceiver(t)
      const { secret, id } = await addWebhook(tenant, { url: receiver.url, eventTypes: ['alert.created'] })
      const { eventId } = ok<Row>(await tenant.platform('POST', `/webhooks/${id}/test`))
      const message = await until(() => receiver.messages[0], 'the test')
      assertSigned(message, secret)
      assert.equal(message.headers['webhook-id'], eventId)
      const act = async (action: string) => ok<Row>(await tenant.platform('POST', `/webhooks/${id}/${action}`))
      assert.equal((await act('pause'))['status'], 'paused')
      refused(await tenant.platform('POST', `/webhooks/${id}/test`), 409, 'conflict', 'platform')
      assert.equal((await act('resume'))['status'], 'enabled')
      const rotated = await act('secret/rotate')
      assert.notEqual(rotated['secret'], secret)
      const since = new Date(Date.now() - 60_000).toISOString()
      assert.deepEqual(ok(await tenant.platform('POST', `/webhooks/${id}/recover`, { body: { since } })), {
        recovered: 0,
        isComplete: true,
      })
      assert.deepEqual(ok(await tenant.platform('DELETE', `/webhooks/${id}`)), { id, deleted: true })
      refused(await tenant.platform('GET', `/webhooks/${id}`), 404, 'not_found', 'platform')
    })

    test('addresses that are not public, http to the outside and unknown events are refused by their field', async () => {
      const tenant = await service.newTenant()
      for (const [body, field] of [
        [{ url: 'https://169.254.169.254/latest' }, 'url'],
        [{ url: 'https://[::ffff:10.0.0.1]/' }, 'url'],
        [{ url: 'https://10.0.0.1/' }, 'url'],
        [{ url: 'http://93.184.215.14/' }, 'url'],
        [{ url: 'https://user:secret@93.184.215.14/' }, 'url'],
        [{ url: 'no url' }, 'url'],
        [{ url: 'https://93.184.215.14/', headers: { Host: 'inside' } }, 'headers'],
      ] as const) {
        const error = refused(await tenant.platform('POST', '/webhooks', { body }), 400, 'invalid_request', 'platform')
        assert.deepEqual(error['details'], { field }, JSON.stringify(body))
      }
      const unknown = { url: 'https://93.184.215.14/', eventTypes: ['alert.lost'] }
      refused(await tenant.platform('POST', '/webhooks', { body: unknown }), 400, 'invalid_request', 'platform')
    })
  })
}
