import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { hasOpenssl, makeCertificates } from '@roadworthy/service-kit/network/test-certificates'
import type { Logger } from '@roadworthy/service-kit/telemetry/log'
import { checkSurroundings } from './preflight.ts'
import { type PlatformSettings, readInvocation } from './settings/settings.ts'

const FREE = [
  '--host',
  '127.0.0.1',
  '--no-demo',
  ...['port', 'engine-port', 'mqtt-port', 'mqtt-tls-port', 'metrics-port'].flatMap((name) => [`--${name}`, '0']),
]

function makeFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'roadworthy-preflight-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

/** What the start is refused with, or else what is logged. */
async function outcomeOf(settings: PlatformSettings): Promise<string> {
  const logged: string[] = []
  const log = { error: (line: string) => logged.push(`logged: ${line}`) } as unknown as Pick<Logger, 'error'>
  return await checkSurroundings(settings, 'of your own', log).then(
    () => logged.join(),
    (error: Error) => error.message,
  )
}

async function check(dataDir: string, ...args: string[]): Promise<string> {
  const invocation = readInvocation([...FREE, '--data-dir', dataDir, ...args], {})
  assert.ok(invocation.kind === 'run')
  return await outcomeOf(invocation.configuration.settings)
}

test('an address that is not of this machine is named by its setting, where any port is wanted too', async (t) => {
  const folder = makeFolder(t)
  assert.equal(await check(folder), '')
  assert.equal(
    await check(folder, '--host', '192.0.2.1'),
    'HOST 192.0.2.1 cannot be listened on (EADDRNOTAVAIL). Give an address of this machine.',
  )
  assert.match(await check(folder, '--metrics-host', '192.0.2.1'), /^METRICS_HOST 192\.0\.2\.1 cannot be listened on/)
})

test('a certificate or a key that cannot be used is named by its setting, and so is a key of another one', {
  skip: !hasOpenssl,
}, async (t) => {
  const folder = makeFolder(t)
  const { broker, stranger } = makeCertificates(folder)
  const noPem = join(folder, 'no.pem')
  writeFileSync(noPem, 'root:x:0:0\n')
  const mqtt = (cert: string, key: string) => check(folder, '--mqtt-tls-cert-file', cert, '--mqtt-tls-key-file', key)
  assert.equal(await mqtt(broker.certFile, broker.keyFile), '')
  assert.match(await mqtt(noPem, broker.keyFile), /^MQTT_TLS_CERT_FILE \S+ holds no certificate that can be read\..*$/)
  assert.match(await mqtt(broker.certFile, noPem), /^MQTT_TLS_KEY_FILE \S+ holds no private key that can be read\..*$/)
  assert.match(await mqtt(folder, broker.keyFile), /^MQTT_TLS_CERT_FILE \S+ cannot be read \(EISDIR\)\..*$/)
  assert.match(
    await mqtt(broker.certFile, stranger.keyFile),
    /^MQTT_TLS_KEY_FILE \S+ is not the private key of the certificate in MQTT_TLS_CERT_FILE\..*$/,
  )
  const outside = ['--mqtt-broker-url', 'mqtts://broker.example.com', '--mqtt-broker-ca-file']
  assert.match(
    await check(folder, ...outside, noPem),
    /^MQTT_BROKER_CA_FILE \S+ holds no certificate that can be read\. Name a PEM file\.$/,
  )
  assert.equal(await check(folder, ...outside, stranger.certFile), '')
})

// /proc takes no file of anybody, root included.
test('a folder of the history that cannot be written is logged by its setting, where readings are to be sealed', async (t) => {
  const folder = makeFolder(t)
  const file = join(folder, 'file')
  writeFileSync(file, '')
  const cases: [historyDir: string, why: string][] = [
    ['/proc/history', 'ENOENT'],
    [join(file, 'history'), 'it, or a folder above it, is a file'],
  ]
  for (const [historyDir, why] of cases) {
    const logged = await check(folder, '--history-dir', historyDir)
    assert.ok(logged.startsWith(`logged: HISTORY_DIR ${historyDir} cannot be written (${why}), and old readings stay`), logged)
    assert.match(logged, /--history-dir\.$/)
  }
  const invocation = readInvocation([...FREE, '--data-dir', folder, '--history-dir', '/proc/history'], {})
  assert.ok(invocation.kind === 'run')
  assert.equal(await outcomeOf({ ...invocation.configuration.settings, roles: 'receivers' }), '')
  assert.equal(await check(folder, '--history-dir', join(folder, 'history')), '')
})
