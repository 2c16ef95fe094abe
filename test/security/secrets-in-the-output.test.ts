// Goal: whoever reads what the service prints, on its screen or in a log that is kept, learns no secret. Method: a service that logs
// everything it can, with every kind of secret made, used well and used badly; then its whole output is searched for each of them.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { APP_ROLE, rolePassword, SYSTEM_ROLE } from '@roadworthy/service-kit/postgres/db'
import { roadworthy } from '../support/command-line.ts'
import { call, startPlatform } from '../support/running-platform.ts'

const SMTP_PASSWORD = 'smtp-password-of-the-operator'
const BROKER_AUTH_SECRET = 'broker-auth-secret-of-the-operator'
const HEADER_SECRET = 'header-secret-of-the-receiver'
const NEW_PASSWORD = 'correct horse battery'

const platform = await startPlatform(
  { after },
  {
    flags: ['--log-level', 'trace', '--mail-from', 'fleet@acme.example', '--webhook-allow-cidrs', '127.0.0.0/8'],
    // Nobody answers there, so every letter fails.
    env: { SMTP_URL: `smtps://fleet:${SMTP_PASSWORD}@127.0.0.1:1`, BROKER_AUTH_SECRET },
  },
)
const { credentials, env } = platform
const { base_url: baseUrl, api_key: key } = credentials
const secrets = new Map<string, string>()

function keep(what: string, secret: unknown): string {
  assert.ok(typeof secret === 'string' && secret.length >= 16, `${what}: ${String(secret)}`)
  secrets.set(what, secret)
  return secret
}

async function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = { 'x-api-key': key }) {
  const answer = await call(baseUrl, method, path, { headers, ...(body === undefined ? {} : { body }) })
  return { ...answer, body: answer.body as Record<string, never> }
}

const cookieIn = (answer: { headers: Headers }) => /rw_session=([\w-]+)/.exec(answer.headers.get('set-cookie') ?? '')?.[1]
const tokenIn = (url: unknown) => String(url).split('#')[1]

test('no secret is in anything that the service prints', async () => {
  keep('the first key', key)
  keep('the password of the owner', credentials.dashboard.password)
  keep('the secret key', env.SECRET_KEY)
  keep('the password of the mail server', SMTP_PASSWORD)
  keep('the secret that brokers ask with', BROKER_AUTH_SECRET)
  for (const role of [APP_ROLE, SYSTEM_ROLE]) keep(`the password of ${role}`, rolePassword(role, env.SECRET_KEY))

  const made = await ask('POST', '/api/v1/api-keys', { name: 'made', scopes: ['*'] })
  keep('a key', (made.body as { secret?: string }).secret)
  const device = await ask('POST', '/api/external/devices', { name: 'Truck', imei: '356938035643809' })
  const { device_id: deviceId, mqtt_password: mqttPassword } = device.body as { device_id?: string; mqtt_password?: string }
  keep('the password of a device', mqttPassword)
  const rotated = await ask('POST', `/api/external/devices/${deviceId}/credentials/rotate`, {})
  keep('the next password of a device', (rotated.body as { mqtt_password?: string }).mqtt_password)
  const phone = await ask('POST', '/api/external/devices', { name: 'Phone', connection_method: 'osmand' })
  const phoneToken = keep('the token of a phone', (phone.body as { tracker_token?: string }).tracker_token)
  const endpoint = { url: 'http://127.0.0.1:65000/hook', headers: { 'x-receiver-secret': keep('a header', HEADER_SECRET) } }
  const webhook = await ask('POST', '/api/v1/webhooks', endpoint)
  const webhookSecret = /whsec_[\w+/=]+/.exec(JSON.stringify(webhook.body))?.[0]
  keep('the secret of a webhook', webhookSecret)

  const signedIn = await ask(
    'POST',
    '/api/v1/session',
    { email: credentials.dashboard.email, password: credentials.dashboard.password },
    {},
  )
  const session = keep('a session', cookieIn(signedIn))
  await ask('GET', '/api/v1/users', undefined, { cookie: `rw_session=${session}` })
  const invited = await ask('POST', '/api/v1/users', { email: 'anna@acme.example', role: 'viewer' })
  const invitation = keep('an invitation', tokenIn((invited.body as { invitation?: { url?: string } }).invitation?.url))
  const joined = await ask('POST', '/api/v1/session/password', { token: invitation, password: keep('a password', NEW_PASSWORD) }, {})
  assert.equal(joined.status, 200)
  keep('the session of a new person', cookieIn(joined))
  await ask('POST', '/api/v1/session/password-reset', { email: 'anna@acme.example' }, {})
  const reset = await roadworthy(['--data-dir', platform.dataDir, 'users', 'reset-password', '--email', 'anna@acme.example', '--json'], {
    env,
  })
  const link = keep('a reset', tokenIn((JSON.parse(reset.stdout) as { url: string }).url))

  // Used badly: in the wrong place, cut short, in a body that is none.
  const [, short] = [keep('a wrong password', 'not-quite-the-password'), key.slice(0, -1)]
  await ask('GET', '/api/v1/vehicles', undefined, { 'x-api-key': short })
  await ask('POST', '/api/v1/session', { email: 'anna@acme.example', password: 'not-quite-the-password' }, {})
  await ask('POST', '/api/v1/session/password', { token: link, password: 'short' }, {})
  await ask('POST', '/api/v1/session', { email: 'anna@acme.example', password: { nested: NEW_PASSWORD } }, {})
  await call(baseUrl, 'POST', '/api/v1/session', { raw: `{"password": "${NEW_PASSWORD}"`, headers: {} })
  await call(baseUrl, 'POST', `/api/external/devices?api_key=${key}`, { raw: `{"secret": "${key}`, key })

  const ingest = `${baseUrl}/api/external/ingest`
  for (const path of [
    `osmand?id=${phoneToken}&lat=95&lon=1`,
    `torque/${phoneToken}?kff1006=95&kff1005=1`,
    `nowhere/${phoneToken}`,
    `osmand/${phoneToken}%`,
  ]) {
    await (await fetch(`${ingest}/${path}`, { headers: { 'x-api-key': key } })).text()
  }

  assert.equal(await platform.stop(), 0)
  const output = platform.output()
  assert.match(output, /no mail was sent/, 'the operator must see that a mail was not sent')
  for (const [what, secret] of secrets) assert.ok(!output.includes(secret), `${what} is in the output`)
  assert.ok(!output.includes(short), 'most of a key is in the output')
})
