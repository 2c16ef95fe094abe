import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { readInvocation } from './settings.ts'

const defaults = {
  enginePort: 8090,
  host: '127.0.0.1',
  modelsPollIntervalS: 30,
  engineEdition: 'payg',
  engineInput: 'rest',
  engineWindowVehicles: 5000,
  engineKafkaTopic: 'telemetry',
  engineKafkaOutputTopic: 'predictions',
  engineKafkaGroupId: 'roadworthy-engine',
  engineKafkaStartAt: 'earliest',
  engineKafkaTls: false,
  engineMqttTopic: 'telemetry/#',
  engineMqttOutputPrefix: 'predictions',
  engineMqttDeadLetterTopic: 'dead-letters/telemetry',
  otelTracesSampler: 'parentbased_traceidratio',
  otelTracesSamplerArg: 1,
  otelSdkDisabled: false,
  logLevel: 'info',
  exitWithParent: false,
}
const machine = { coreCount: 3, memoryBytes: 8 * 1024 ** 3 }
const read = (args: readonly string[], env: Record<string, string>) => readInvocation(args, env, 'host', machine)
const running = (settings: object) => ({ kind: 'run', settings, secrets: {}, input: { kind: 'rest' }, workers: 3 })

test('defaults, environment and flags, the nearer one wins', () => {
  assert.deepEqual(read([], {}), running(defaults))
  // PORT is the platform's: an engine started beside it must not take it for its own.
  const env = { ENGINE_PORT: '1', PORT: '8080', HOST: '0.0.0.0' }
  const settings = { ...defaults, host: '0.0.0.0', exitWithParent: true }
  assert.deepEqual(read(['--port', '0', '--exit-with-parent'], env), running({ ...settings, enginePort: 0 }))
  assert.deepEqual(read(['--port=7', '--exit-with-parent'], env), running({ ...settings, enginePort: 7 }))
})

test('without a word on workers there is one for each core, and one where readings are kept in memory', () => {
  const workersOf = (args: readonly string[], env: Record<string, string> = {}) => {
    const outcome = read(args, env)
    return outcome.kind === 'run' ? outcome.workers : outcome.text
  }
  assert.equal(workersOf([]), 3)
  assert.equal(workersOf([], { ENGINE_WORKERS: '' }), 3)
  assert.equal(workersOf(['--workers', '1']), 1)
  assert.equal(workersOf([], { ENGINE_WORKERS: '8' }), 8)
  const mqtt = ['--engine-input', 'mqtt', '--engine-mqtt-url', 'mqtt://127.0.0.1:1883']
  assert.equal(workersOf(mqtt), 1)
  assert.match(String(workersOf([...mqtt, '--workers', '2'])), /^ENGINE_WORKERS is "2".*ENGINE_INPUT=mqtt keeps the windows/)
  const checked = read(['--check-config'], {})
  assert.ok(checked.kind === 'print' && checked.text.includes('\nENGINE_WORKERS=3\n'))
})

test('all bad settings are reported at once, each by its name, with exit code 1', () => {
  const outcome = readInvocation(['--port', '65536'], { LOG_LEVEL: 'loud', ENGINE_EDITION: 'gold' })
  assert.ok(outcome.kind === 'print' && outcome.exitCode === 2)
  const names = outcome.text
    .trim()
    .split('\n')
    .map((line) => line.split(' ', 1)[0])
  assert.deepEqual(names, ['ENGINE_PORT', 'ENGINE_EDITION', 'LOG_LEVEL'])
  for (const args of [['--port', '-1'], ['--port'], ['--nonsense'], ['--models-poll-interval-s', '-1']]) {
    assert.deepEqual({ ...readInvocation(args, {}), text: '' }, { kind: 'print', text: '', exitCode: 2 }, args.join(' '))
  }
})

test('a flag with a typing mistake is reported with the one that is near, short ones among them', () => {
  for (const [given, near] of [
    ['--prot', '--port'],
    ['--editon', '--edition'],
    ['--models-dri', '--models-dir'],
  ] as const) {
    const outcome = readInvocation([given, '1'], {})
    assert.ok(outcome.kind === 'print' && outcome.text.includes(`Did you mean ${near}?`), outcome.kind === 'print' ? outcome.text : '')
  }
  const bad = readInvocation(['--port', '65536'], {})
  assert.ok(bad.kind === 'print' && bad.text.startsWith('ENGINE_PORT is "65536" (--port)'))
})

test('a licence and its key are read, from files too, and shown nowhere', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'roadworthy-license-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const { publicKey } = generateKeyPairSync('ed25519')
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const line = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  writeFileSync(join(folder, 'key.pem'), pem)
  for (const given of [{ ENGINE_LICENSE_PUBLIC_KEY_FILE: join(folder, 'key.pem') }, { ENGINE_LICENSE_PUBLIC_KEY: line }]) {
    const outcome = readInvocation(['--edition', 'byol'], { ...given, ENGINE_LICENSE_KEY: 'rwl1.secret.secret' })
    assert.ok(outcome.kind === 'run')
    assert.equal(outcome.secrets.licenseKey, 'rwl1.secret.secret')
    assert.ok(outcome.secrets.licensePublicKey?.equals(publicKey))
    assert.doesNotMatch(inspect(outcome, { depth: 5 }), /rwl1|MCow/)
  }
  for (const key of ['nonsense', generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ type: 'spki', format: 'pem' })]) {
    const outcome = readInvocation([], { ENGINE_LICENSE_PUBLIC_KEY: String(key) })
    assert.ok(outcome.kind === 'print' && outcome.exitCode === 2)
    assert.match(outcome.text, /^ENGINE_LICENSE_PUBLIC_KEY is "\(hidden\)".*Ed25519/)
  }
})

test('help fits into a terminal of 80 columns', () => {
  const help = readInvocation(['--help'], {})
  assert.ok(help.kind === 'print' && help.text.includes('--otel-traces-sampler VALUE'))
  assert.deepEqual(
    help.text.split('\n').filter((line) => line.length > 80),
    [],
  )
})
