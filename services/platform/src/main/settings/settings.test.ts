import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { brokerAddressOf, mqttAddressOf } from './broker-settings.ts'
import { childEnvironment, listenPorts, type PlatformConfiguration, readInvocation } from './settings.ts'

function run(args: string[], env: Record<string, string> = {}): PlatformConfiguration {
  const invocation = readInvocation(args, env)
  if (invocation.kind === 'print') assert.fail(invocation.text)
  return invocation.configuration
}

function refusal(args: string[], env: Record<string, string> = {}): string[] {
  const invocation = readInvocation(args, env)
  assert.ok(invocation.kind === 'print' && invocation.exitCode === 2)
  return invocation.text.trim().split('\n')
}

test('the defaults are those of DESIGN §6', () => {
  const { settings } = run([])
  assert.deepEqual(
    [settings.port, settings.enginePort, settings.mqttPort, settings.mqttTlsPort, settings.metricsPort, settings.mqttTopicPrefix],
    [8080, 8090, 1883, 8883, 9464, 'fleet'],
  )
  assert.equal(settings.dataDir, resolve('.data'))
  assert.equal(settings.demo, true)
})

test('the demo is off when the database is one of your own, unless it is asked for', () => {
  const env = { DATABASE_URL: 'postgresql://a:b@c/d' }
  assert.equal(run([], env).settings.demo, false)
  assert.equal(run(['--demo'], env).settings.demo, true)
  assert.equal(run(['--no-demo']).settings.demo, false)
  assert.equal(run([], { DEMO: 'off' }).settings.demo, false)
})

test('a flag has the name of its variable and wins over it, in both spellings', () => {
  const env = { PORT: '1111', DATA_DIR: '/one', MQTT_TOPIC_PREFIX: '' }
  assert.equal(run(['--port', '2222'], env).settings.port, 2222)
  assert.equal(run(['--port=2222', '--data-dir=/two'], env).settings.dataDir, '/two')
  assert.equal(run([], env).settings.port, 1111)
  assert.equal(run([], env).settings.mqttTopicPrefix, 'fleet', 'an empty variable is one that is not set')
})

test('proxies are named by their networks; a switch of before is refused with what to write', () => {
  assert.equal(run([], { TRUST_PROXY: '127.0.0.1, 10.0.0.0/8' }).settings.trustProxy, '127.0.0.1, 10.0.0.0/8')
  assert.match(
    refusal([], { TRUST_PROXY: 'on' })[0] ?? '',
    /^TRUST_PROXY is "on" \(environment\): it is a list of networks.*10\.0\.0\.0\/8/,
  )
  run([], { TRUST_PROXY: 'off' })
})

test('the key of a proxy in front of the engine is a secret, and needs the engine that it is for', () => {
  const env = { ENGINE_URL: 'https://engine.example.com', ENGINE_KEY: 'of-the-proxy' }
  const invocation = readInvocation([], env)
  assert.ok(invocation.kind === 'run')
  assert.equal(invocation.configuration.secrets.engineKey, 'of-the-proxy')
  assert.doesNotMatch(JSON.stringify(invocation), /of-the-proxy/)
  assert.equal(childEnvironment(env)['ENGINE_KEY'], undefined)
  assert.match(refusal([], { ENGINE_KEY: 'of-the-proxy' })[0] ?? '', /^ENGINE_URL.*ENGINE_KEY is set/)
  const [split = ''] = refusal([], { ...env, ENGINE_KEY: 'of the\r\nproxy' })
  assert.match(split, /^ENGINE_KEY/)
  assert.doesNotMatch(split, /of the/)
})

test('flags of npm start come behind --, so that --env-file is answered by the service, and with what to do', () => {
  assert.equal(run(['--', '--port', '0']).settings.port, 0)
  const fix = '--env-file: settings come from flags and the environment. Load the file before the start: set -a; . ./FILE; set +a'
  for (const args of [
    ['--', '--env-file', 'missing'],
    ['--', '--env-file=missing'],
  ])
    assert.deepEqual(refusal(args, {}), [fix])
})

test('all problems are reported at once, each with name, value, source and a way out', () => {
  const lines = refusal(['--port', 'eighty', '--prot', '1', '--demo=maybe', 'extra'], {
    LOG_LEVEL: 'loud',
    MQTT_PORT: '70000',
    DATABASE_URL: 'mysql://root:hunter2@db/x',
    SCORING_INTERVAL_S: '0',
  })
  assert.deepEqual(lines, [
    '--prot: there is no such flag. Did you mean --port? --help lists them all.',
    'extra: there is no such argument; settings are given as --name value.',
    'PORT is "eighty" (--port): it must be a whole number from 0 to 65535. For example --port 8080.',
    'DATABASE_URL is "(hidden)" (environment): it does not have the form that is needed. For example --database-url postgresql://roadworthy:secret@db.example.com/roadworthy.',
    'MQTT_PORT is "70000" (environment): it must be a whole number from 0 to 65535. For example --mqtt-port 1883.',
    'DEMO is "maybe" (--demo): it must be on or off. For example --demo, --no-demo.',
    'LOG_LEVEL is "loud" (environment): it must be one of fatal, error, warn, info, debug, trace, silent. For example --log-level info.',
    'SCORING_INTERVAL_S is "0" (environment): it must be a whole number from 1 to 86400. For example --scoring-interval-s 10.',
  ])
})

test('settings that contradict each other are refused', () => {
  assert.match(refusal(['--port', '9000', '--mqtt-port', '9000']).join(), /MQTT_PORT is "9000".*PORT is the same/)
  assert.match(refusal(['--mqtt-tls-cert-file', 'a.pem']).join(), /MQTT_TLS_KEY_FILE: .*both a certificate and its key/)
  assert.match(refusal(['--readings-retention-days', '7']).join(), /READINGS_RETENTION_DAYS is "7".*READINGS_MAX_AGE_DAYS \(30\)/)
  assert.match(refusal([], { SMTP_URL: 'smtp://mail.example.com' }).join(), /MAIL_FROM: .*set both or neither/)
  assert.match(refusal([], { MAIL_FROM: 'fleet@example.com' }).join(), /SMTP_URL: .*set both or neither/)
  assert.equal(run(['--port', '0', '--mqtt-port', '0']).settings.mqttPort, 0, 'free ports do not collide')
})

test('an external broker is joined in place of opening one, and devices get its address unless there is another', () => {
  const { settings, secrets } = run(['--mqtt-broker-url', 'mqtts://broker.example.com'], {
    MQTT_BROKER_USERNAME: 'roadworthy',
    MQTT_BROKER_PASSWORD: 'hush',
  })
  assert.equal(secrets.mqttBrokerPassword, 'hush')
  assert.equal(settings.demo, false, 'the fleet of the demo is no guest of that broker')
  assert.ok(!inspect(settings).includes('hush'))
  assert.deepEqual(brokerAddressOf(settings.mqttBrokerUrl ?? ''), { host: 'broker.example.com', port: 8883, isSecure: true })
  assert.deepEqual(mqttAddressOf(settings, undefined), { scheme: 'mqtts', host: 'broker.example.com', port: 8883 })
  assert.ok(!listenPorts(settings).some(({ name }) => name.startsWith('MQTT')))
  const outside = run(['--mqtt-broker-url', 'mqtt://[::1]:2883', '--mqtt-public-host', 'mqtt.example.com', '--mqtt-public-port', '443'])
  assert.equal(brokerAddressOf(outside.settings.mqttBrokerUrl ?? '').host, '::1')
  assert.deepEqual(mqttAddressOf(outside.settings, undefined), { scheme: 'mqtt', host: 'mqtt.example.com', port: 443 })
  assert.deepEqual(mqttAddressOf(run([]).settings, 41883), { scheme: 'mqtt', host: 'localhost', port: 41883 })
  const overTls = ['--mqtt-tls-cert-file', 'a.pem', '--mqtt-tls-key-file', 'b.pem', '--mqtt-public-host', 'mqtt.example.com']
  const shown = (...args: string[]) => mqttAddressOf(run([...overTls, ...args]).settings, 41883).scheme
  assert.deepEqual([shown('--mqtt-public-port', '8883'), shown('--mqtt-public-port', '1883'), shown()], ['mqtts', 'mqtt', 'mqtt'])
  assert.equal(mqttAddressOf(run(['--mqtt-public-port', '8883']).settings, 41883).scheme, 'mqtt', 'there is no certificate')
  const { settings: apart } = run([...overTls, '--host', '127.0.0.1', '--mqtt-tls-host', '0.0.0.0'])
  assert.deepEqual(
    listenPorts(apart).flatMap(({ name, host }) => (name.startsWith('MQTT') ? [[name, host]] : [])),
    [
      ['MQTT_PORT', '127.0.0.1'],
      ['MQTT_TLS_PORT', '0.0.0.0'],
    ],
  )
  const hostFor = (...args: string[]) => mqttAddressOf(run(args).settings, 41883).host
  assert.equal(hostFor('--host', '10.0.0.5'), '10.0.0.5', 'nothing listens at localhost then')
  assert.equal(hostFor('--host', '10.0.0.5', '--mqtt-public-host', 'mqtt.example.com'), 'mqtt.example.com')
  for (const host of ['127.0.0.1', '::1', '::']) assert.equal(hostFor('--host', host), 'localhost')
  for (const host of ['mqtt', 'mqtt-1.example.com', '10.0.0.5', 'fd00::5']) assert.equal(hostFor('--mqtt-public-host', host), host)
  for (const host of ['mqtts://mqtt.example.com', 'mqtt.example.com:8883', 'mqtt.example.com/', 'two words'])
    assert.match(refusal(['--mqtt-public-host', host]).join(), /^MQTT_PUBLIC_HOST is .*does not have the form/, host)
})

// A person who starts the service may have set neither: one can stand in the file of a unit, or be the default.
test('of settings that contradict each other the refusal names each with the place it comes from', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'roadworthy-settings-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'password')
  writeFileSync(file, 'hush\n')
  const cases: [args: string[], env: Record<string, string>, line: string | RegExp][] = [
    [
      [],
      { MQTT_PORT: '8080', PORT: '8080' },
      /^MQTT_PORT is "8080" \(environment\): PORT is the same\..* PORT comes from the environment\.$/,
    ],
    [['--port', '1883'], {}, /^MQTT_PORT is "1883" \(default\): PORT is the same\..* PORT comes from --port\.$/],
    [
      ['--readings-retention-days', '7'],
      {},
      /^READINGS_RETENTION_DAYS is "7" \(--readings-retention-days\): .* READINGS_MAX_AGE_DAYS has its default\.$/,
    ],
    [
      [],
      { MQTT_TLS_KEY_FILE: 'a.pem' },
      /^MQTT_TLS_CERT_FILE: MQTT_TLS_KEY_FILE is set: .* MQTT_TLS_KEY_FILE comes from the environment\.$/,
    ],
    [
      [],
      { MQTT_BROKER_PASSWORD_FILE: file },
      /MQTT_BROKER_URL: MQTT_BROKER_PASSWORD of .* MQTT_BROKER_PASSWORD comes from MQTT_BROKER_PASSWORD_FILE in the environment\.$/,
    ],
    [
      ['--roles', 'api'],
      { DATABASE_URL: 'postgres://x/y', SECRET_KEY: 'k'.repeat(40) },
      /^ENGINE_URL: ROLES is api: .* ROLES comes from --roles\.$/,
    ],
  ]
  for (const [args, env, line] of cases) assert.match(refusal(args, env).at(-1) ?? '', new RegExp(line))
})

test('settings of an external broker that do not go together are refused', () => {
  const url = ['--mqtt-broker-url', 'mqtt://broker.example.com']
  assert.match(refusal(['--mqtt-broker-url', 'mqtt://user:secret@broker.example.com']).join(), /MQTT_BROKER_URL is .*the form/)
  assert.match(refusal(['--mqtt-broker-url', 'ws://broker.example.com']).join(), /MQTT_BROKER_URL is .*the form/)
  assert.match(refusal(['--mqtt-broker-username', 'roadworthy']).join(), /MQTT_BROKER_URL: .*not where it is/)
  assert.match(refusal(url, { MQTT_BROKER_PASSWORD: 'hush' }).join(), /MQTT_BROKER_USERNAME: .*needs the user/)
  assert.match(refusal([...url, '--mqtt-broker-cert-file', 'a.pem']).join(), /MQTT_BROKER_KEY_FILE: .*go together/)
  assert.match(refusal([...url, '--mqtt-broker-ca-file', 'a.pem']).join(), /MQTT_BROKER_URL: certificates are for mqtts/)
})

test('networks that webhooks may go to are written as networks', () => {
  assert.equal(run(['--webhook-allow-cidrs', '10.20.0.0/16, fd00:20::/32']).settings.webhookAllowCidrs, '10.20.0.0/16, fd00:20::/32')
  assert.match(
    refusal(['--webhook-allow-cidrs', '10.20.0.0/16,10.0.0.1']).join(),
    /WEBHOOK_ALLOW_CIDRS is .*: 10\.0\.0\.1: not a network\./,
  )
})

test('what is kept is kept for a hundred years at most: further back there is no date to remove it by', () => {
  for (const name of ['READINGS_RETENTION_DAYS', 'EVENTS_RETENTION_DAYS', 'AUDIT_RETENTION_DAYS']) {
    run([], { [name]: '36500' })
    assert.match(refusal([], { [name]: '999999999' }).join(), new RegExp(`^${name} is .*: it must be a whole number from 1 to 36500`))
  }
})

test('a flag without its value is reported, not given the next flag', () => {
  assert.deepEqual(refusal(['--data-dir', '--no-demo']), ['--data-dir: it needs a value after it.'])
})

test('a secret comes from a file too, and is shown nowhere', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'roadworthy-secret-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'key')
  const secret = 'x'.repeat(40)
  writeFileSync(file, `${secret}\n`)
  const configuration = run([], { SECRET_KEY_FILE: file })
  assert.equal(configuration.secrets.secretKey, secret)
  assert.ok(!inspect(configuration).includes(secret) && !JSON.stringify(configuration).includes(secret))

  const check = readInvocation(['--check-config', '--secret-key-file', file], {})
  assert.ok(check.kind === 'print' && check.exitCode === 0)
  assert.match(check.text, /^SECRET_KEY=\(set\)$/m)
  assert.match(check.text, /^PORT=8080$/m)
  assert.match(
    refusal([], { SECRET_KEY_FILE: file, SECRET_KEY: secret }).join(),
    /SECRET_KEY is set too \(environment\); keep one of the two/,
  )
  assert.match(refusal([], { SECRET_KEY_FILE: join(folder, 'absent') }).join(), /cannot be read \(ENOENT\)/)
})

test('help names every setting, and fits into a terminal of 80 columns', () => {
  const help = readInvocation(['--help'], {})
  assert.ok(help.kind === 'print' && help.exitCode === 0)
  for (const flag of ['--port', '--data-dir', '--demo, --no-demo', '--check-config', '--log-level'])
    assert.ok(help.text.includes(flag), flag)
  assert.deepEqual(
    help.text.split('\n').filter((line) => line.length > 80),
    [],
  )
})
