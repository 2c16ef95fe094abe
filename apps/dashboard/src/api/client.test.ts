import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError, forgetUnanswered, get, send } from './client.ts'

test('a refusal after the session ended is written for a person, and that of a wrong password as it came', () => {
  const messageOf = (reason: string | undefined) =>
    new ApiError(401, { code: 'invalid_api_key', message: 'As it came.', ...(reason === undefined ? {} : { details: { reason } }) }).message
  for (const reason of ['missing', 'session']) assert.match(messageOf(reason), /^The session had ended/)
  assert.equal(messageOf(undefined), 'As it came.')
})

test('a page in place of an answer, and an answer that is lost in its middle, are reported in words for a person', async (t) => {
  const answers = [
    new Response('<html>Welcome to the hotel</html>', { headers: { 'content-type': 'text/html' } }),
    new Response(new ReadableStream({ start: (stream) => stream.error(new TypeError('terminated')) })),
  ]
  t.mock.method(globalThis, 'fetch', async () => answers.shift() ?? assert.fail('asked again'))
  await assert.rejects(get('/vehicles'), /^Error: What answered was not the service/)
  await assert.rejects(get('/vehicles'), /^Error: The service did not answer/)
})

test('what is asked again after an answer that did not come has the same Idempotency-Key, and after any other a new one', async (t) => {
  const keys: (string | null)[] = []
  let answer = (): Response => assert.fail('nothing was asked')
  t.mock.method(globalThis, 'fetch', async (_url: string, request: RequestInit) => {
    keys.push(new Headers(request.headers).get('idempotency-key'))
    return answer()
  })
  const lost = () => {
    throw new TypeError('Failed to fetch')
  }
  const refusal = (status: number, code: string) => () => Response.json({ error: { code } }, { status })
  const ask = async (how: () => Response, amount = 1) => {
    answer = how
    await send('POST', '/payments', { amount }).catch(() => undefined)
    return keys.at(-1)
  }
  t.after(forgetUnanswered)
  const done = () => Response.json({ ok: true })

  const first = await ask(lost)
  assert.match(String(first), /^[\d-]+$/)
  assert.notEqual(await ask(done, 2), first, 'something else')
  for (const how of [refusal(503, 'unavailable'), refusal(502, ''), refusal(409, 'idempotency_in_progress'), () => new Response('<html>')])
    assert.equal(await ask(how), first)
  assert.equal(await ask(done), first)
  const second = await ask(refusal(400, 'invalid_request'))
  assert.notEqual(second, first, 'the first was answered')
  const third = await ask(lost)
  assert.notEqual(third, second, 'a refusal is an answer')
  forgetUnanswered()
  assert.notEqual(await ask(lost), third, 'another person')
  answer = done
  await send('PUT', '/payments', {})
  assert.equal(keys.at(-1), null)
})

test('what is asked again much later is meant anew', async (t) => {
  t.mock.timers.enable({ apis: ['Date'] })
  const keys: (string | null)[] = []
  t.mock.method(globalThis, 'fetch', async (_url: string, request: RequestInit) => {
    keys.push(new Headers(request.headers).get('idempotency-key'))
    throw new TypeError('Failed to fetch')
  })
  t.after(forgetUnanswered)
  for (const laterMs of [0, 60_000, 11 * 60_000]) {
    t.mock.timers.tick(laterMs)
    await assert.rejects(send('POST', '/payments', {}))
  }
  assert.equal(keys[0], keys[1])
  assert.notEqual(keys[1], keys[2])
})
