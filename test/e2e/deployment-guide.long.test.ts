// Goal: who puts the Caddy of deploy/ in front of an installation sees what docs/guides/deployment.md shows. Method: the settings of the guide, the shipped configuration
// with a name and a certificate of this machine, and the commands of the guide through it. Needs Caddy and openssl.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { findFreePorts } from '@roadworthy/service-kit/network/free-ports'
import { hasOpenssl, makeCertificates } from '@roadworthy/service-kit/network/test-certificates'
import { ensureBuilt } from '../../tools/setup/ensure-built.js'
import { findProgram } from '../support/programs.ts'
import { assertShown, runIn, stepsOf } from './guide-blocks.ts'
import { type OwnInstance, startOwnInstance } from './own-instance.ts'
import { ROOT } from './running-service.ts'

const SHOWN_URL = 'https://fleet.example.com'
const caddy = findProgram('caddy')
const steps = stepsOf('deployment.md')
const ofSettings = steps.find(({ lines }) => lines.startsWith('BASE_URL=')) ?? assert.fail('no settings')
const [ofChecks = assert.fail('no checks'), ...others] = steps.filter(({ lines }) => lines.includes(`${SHOWN_URL}/`))

/** With the certificate of an authority of its own, whose file is returned. */
async function startCaddy({ folder }: OwnInstance, url: string, port: number): Promise<{ authority: string; stop: () => Promise<void> }> {
  const shipped = readFileSync(path.join(ROOT, 'deploy/caddy/Caddyfile'), 'utf8')
  const own = shipped.replace('\nfleet.example.com {', `\n${url} {\n\ttls internal`).replace('127.0.0.1:8080', `127.0.0.1:${port}`)
  assert.ok(own.includes(`${url} {`) && own.includes(`127.0.0.1:${port}`))
  writeFileSync(path.join(folder, 'Caddyfile'), `{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n}\n${own}`)
  const child = spawn(caddy ?? '', ['run', '--config', 'Caddyfile'], {
    ...{ cwd: folder, env: { HOME: folder, PATH: process.env['PATH'] }, stdio: ['ignore', 'ignore', 'pipe'] },
  })
  let output = ''
  child.stderr?.on('data', (chunk) => (output = `${output}${chunk}`.slice(-5_000)))
  const closed = once(child, 'close')
  const stop = async () => {
    child.kill('SIGTERM')
    await closed
  }
  const authority = path.join(folder, '.local/share/caddy/pki/authorities/local/root.crt')
  await runIn(folder, `until curl -fs --cacert ${authority} ${url}/readyz > ready.json; do sleep 0.2; kill -0 ${child.pid}; done`).catch(
    async (error: Error) => {
      await stop()
      throw new Error(`${error.message}\n${output}`)
    },
  )
  return { authority, stop }
}

test('behind the Caddy of deploy/ an installation is what the guide shows', {
  skip: caddy === undefined || !hasOpenssl ? 'needs Caddy and openssl' : false,
}, async (t) => {
  assert.ok(others.length === 0 && ofChecks.shown !== undefined)
  assert.notEqual(await ensureBuilt(ROOT), 'failed')
  const [port = 0, proxyPort = 0] = await findFreePorts(2)
  const url = `https://localhost:${proxyPort}`
  const instance = await startOwnInstance(['--port', String(port), '--base-url', url, '--trust-proxy', '127.0.0.1'])
  t.after(() => instance.stop())
  const { authority, stop } = await startCaddy(instance, url, port)
  t.after(stop)
  const { broker } = makeCertificates(instance.folder)
  const here = (text: string) =>
    text
      .replaceAll(SHOWN_URL, url)
      .replaceAll('/var/lib/roadworthy', instance.dataDir)
      .replaceAll('/etc/roadworthy/environment', 'environment')
      .replaceAll('/etc/roadworthy/tls/mqtt.crt', broker.certFile)
      .replaceAll('/etc/roadworthy/tls/mqtt.key', broker.keyFile)
  writeFileSync(path.join(instance.folder, 'environment'), `${here(ofSettings.lines)}PORT=${port}\n`)
  const printed = await runIn(instance.folder, here(ofChecks.lines), { CURL_CA_BUNDLE: authority, NODE_EXTRA_CA_CERTS: authority })
  assertShown({ ...ofChecks, shown: here(ofChecks.shown) }, printed)
})
