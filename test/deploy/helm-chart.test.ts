// Goal: the chart names what there is: roles, settings, ports, paths of probes, times. Method: without helm, so its values by their schema, and its templates as
// texts, against the code. What is rendered is checked by helm.long.test.ts.

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { readInvocation as readEngineInvocation } from '@roadworthy/engine/settings'
import { DRAIN_BOUND_MS, INPUT_STOP_BOUND_MS } from '@roadworthy/engine/stop-bounds'
import { connectionsOf } from '@roadworthy/platform/main/database/connections'
import { ROLES, type Role } from '@roadworthy/platform/main/roles'
import { readInvocation } from '@roadworthy/platform/main/settings/settings'
import { STOP_WITHIN_MS } from '@roadworthy/platform/main/stop-bounds'
import { Ajv } from 'ajv'
import { parse } from 'yaml'

const ROOT = join(import.meta.dirname, '../..')
const CHART = join(ROOT, 'deploy/helm/roadworthy')
/** Set by the chart, for an engine of somebody else, made by a container for itself, or for the embedded database and the demo, which need a process with all roles. */
const NOT_OF_VALUES =
  /^(ROLES|SHUTDOWN_DELAY_S|PORT|DATA_DIR|DATABASE_PORT|ENGINE_(PORT|URL|KEY)|MQTT_PORT|MQTT_TLS_\w+|METRICS_PORT|MQTT_BROKER_(CLIENT_ID|\w+_FILE)|DEMO\w*|WAL_\w+|RESTORE_\w+|HISTORY_DIR)$/
/** The same, and what engines that read a stream or a broker need: those of the chart are asked over HTTP. */
const NOT_OF_ENGINE_VALUES = /^(MODELS_DIR|ONNX_RUNTIME_DIR|ENGINE_INPUT|ENGINE_WINDOW_VEHICLES|ENGINE_KAFKA_\w+|ENGINE_MQTT_\w+)$/

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const templates = Object.fromEntries(
  globSync('templates/*', { cwd: CHART }).map((path) => [basename(path), readFileSync(join(CHART, path), 'utf8')]),
)
const template = (name: string) => templates[name] ?? assert.fail(`no ${name}`)

type Values = {
  readonly [name: string]: unknown
  readonly image: { readonly platform: string; readonly engine: string }
  readonly api: { readonly replicas: unknown }
  readonly settings: Readonly<Record<string, string>>
}
type ObjectSchema = {
  readonly properties: Readonly<Record<string, ObjectSchema>>
  readonly propertyNames: { readonly enum: readonly string[] }
}

const values = parse(read('deploy/helm/roadworthy/values.yaml')) as Values
const schema = JSON.parse(read('deploy/helm/roadworthy/values.schema.json')) as ObjectSchema
const isValid = new Ajv({ allErrors: true, strict: false }).compile(schema)

/** The settings of a part of .env.example: those that are secrets, which have a form with _FILE, and the others. */
function settingsIn(text: string): { secrets: string[]; plain: string[] } {
  const names = [...text.matchAll(/^#([A-Z][A-Z0-9_]+)=/gm)].map(([, name = '']) => name)
  const secrets = names.filter((name) => names.includes(`${name}_FILE`))
  return { secrets, plain: names.filter((name) => !secrets.includes(name.replace(/_FILE$/, ''))) }
}

test('the values are those of the schema, and what differs from it is refused', () => {
  assert.ok(isValid(values), JSON.stringify(isValid.errors))
  assert.deepEqual(Object.keys(values).sort(), Object.keys(schema.properties).sort())
  for (const wrong of [
    { replicas: 3 },
    { api: { ...values.api, replicas: 0 } },
    { api: { ...values.api, replica: 3 } },
    { settings: { ROLES: 'api' } },
    { settings: { SCORING_INTERVAL_S: 20 } },
    { secret: { name: 'roadworthy', keys: { SECRET_KEY: 'secret-key' } } },
  ]) {
    assert.equal(isValid({ ...values, ...wrong }), false, JSON.stringify(wrong))
  }
})

test('settings are taken as values, as keys of a secret, or set by the chart: each of them in one way', () => {
  const [ofPlatform = '', ofEngine = ''] = read('.env.example').split('# The ML engine, on its own')
  const platform = settingsIn(ofPlatform)
  const { settings, secret, engine } = schema.properties
  const without = (names: readonly string[], pattern: RegExp) => names.filter((name) => !pattern.test(name)).sort()
  assert.deepEqual([...(settings?.propertyNames.enum ?? [])].sort(), without(platform.plain, NOT_OF_VALUES))
  assert.deepEqual(Object.keys(secret?.properties['keys']?.properties ?? {}).sort(), without(platform.secrets, NOT_OF_VALUES))
  const own = settingsIn(ofEngine)
  const isOfTraces = (name: string) => name.startsWith('OTEL_')
  const shared = ['HOST', 'LOG_LEVEL', ...platform.plain.filter(isOfTraces)]
  assert.deepEqual(
    [...(engine?.properties['settings']?.propertyNames.enum ?? [])].sort(),
    [...without(own.plain, NOT_OF_ENGINE_VALUES), ...shared].sort(),
  )
  assert.deepEqual(
    Object.keys(engine?.properties['secret']?.properties['keys']?.properties ?? {}).sort(),
    [...without(own.secrets, NOT_OF_ENGINE_VALUES), ...platform.secrets.filter(isOfTraces)].sort(),
  )
})

test('the templates have the roles, the ports and the paths that the programs have', () => {
  const list = ROLES.map((role) => `"${role}"`).join(' ')
  for (const name of ['platform.yaml', 'services.yaml', 'network-policies.yaml']) {
    assert.ok(template(name).includes(`range $role := list ${list} }}`), name)
  }
  assert.ok(template('disruption-budgets.yaml').includes(`list ${list} "engine" }}`))
  const [platform, engine] = [readInvocation([], {}), readEngineInvocation([], {})]
  assert.ok(platform.kind !== 'print' && engine.kind === 'run')
  const { port, mqttPort, mqttTlsPort, metricsPort } = platform.configuration.settings
  const portsOf = (name: string) => new Set([...template(name).matchAll(/containerPort: (\d+)/g)].map(([, each]) => Number(each)))
  assert.deepEqual(portsOf('platform.yaml'), new Set([port, metricsPort, mqttPort, mqttTlsPort]))
  assert.deepEqual(portsOf('engine.yaml'), new Set([engine.settings.enginePort]))
  const opened = new Set([...template('network-policies.yaml').matchAll(/\{ port: (\d+)/g)].map(([, each]) => Number(each)))
  assert.deepEqual(opened, new Set([port, mqttPort, mqttTlsPort, metricsPort, engine.settings.enginePort, 53]))
  const asked = [...template('_pods.tpl').matchAll(/path: (\/\w+), port/g), ...template('platform.yaml').matchAll(/"ready" "(\/\w+)[?"]/g)]
  const paths = [...new Set([...asked, ...template('engine.yaml').matchAll(/"ready" "(\/\w+)"/g)].map(([, path]) => path))]
  assert.deepEqual(paths, ['/livez', '/readyz'])
  // Both programs are asked for them in their own tests; here only that they are routes of both.
  for (const file of ['services/platform/src/main/http/build-http.ts', 'services/engine/src/http/routes.probes.ts']) {
    for (const path of paths) assert.match(read(file), new RegExp(`(app\\.get\\(\\s*|of \\[)'${path}'`), file)
  }
})

test('a pod has the time that a process takes to stop, and 2 s for what Kubernetes does in between', () => {
  const [, graceS = ''] =
    /terminationGracePeriodSeconds: \{\{ add \.root\.Values\.shutdownDelayS (\d+) \}\}/.exec(template('_pods.tpl')) ?? []
  assert.ok(Number(graceS) * 1000 >= Math.max(STOP_WITHIN_MS, DRAIN_BOUND_MS + INPUT_STOP_BOUND_MS) + 2_000)
  assert.match(template('platform.yaml'), /name: SHUTDOWN_DELAY_S, value: \{\{ \$\.Values\.shutdownDelayS \| quote \}\}/)
  assert.match(template('engine.yaml'), /sleep: \{ seconds: \{\{ \$\.Values\.shutdownDelayS \}\} \}/)
})

test('the Ingress divides the paths as HAProxy does', () => {
  const proxy = read('deploy/haproxy/haproxy.cfg')
  const begins = /acl is_reading path_beg (.+)/.exec(proxy)?.[1]?.split(' ') ?? []
  const exact = /acl is_reading path (\S+)/.exec(proxy)?.[1]
  const [, listed = ''] = /range list ("[^}]+) \}\}/.exec(template('ingress.yaml')) ?? []
  assert.deepEqual(
    [...listed.matchAll(/"([^"]+)"/g)].map(([, path]) => path),
    begins.map((path) => path.replace(/\/$/, '')),
  )
  assert.ok(exact !== undefined && template('ingress.yaml').includes(`- path: ${exact}\n            pathType: Exact`))
})

test('the chart is of this version, with the images and the user of the Containerfile', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string }
  const chart = parse(read('deploy/helm/roadworthy/Chart.yaml')) as { version: string; appVersion: string }
  assert.deepEqual([chart.version, chart.appVersion], [version, version])
  const containerfile = read('deploy/container/Containerfile')
  for (const image of [values.image.platform, values.image.engine]) assert.ok(containerfile.includes(`--tag ${image}:${version} `), image)
  const [, uid] = /^USER (\d+):\1$/m.exec(containerfile) ?? []
  for (const field of ['runAsUser', 'runAsGroup', 'fsGroup']) assert.ok(template('_pods.tpl').includes(`  ${field}: ${uid}\n`), field)
})

test('the notes count the connections to PostgreSQL as the processes do', () => {
  const counted = [...template('NOTES.txt').matchAll(/mul (\d+) \(add \.Values\.(\w+)\.replicas 1\)/g)]
  assert.deepEqual(
    counted.map(([, count, role]) => [role, Number(count)]),
    ROLES.map((role: Role) => [role, connectionsOf(new Set([role]), {}).total]),
  )
})

test('the diagram of the guide has the pods and the ports of the chart', () => {
  const [diagram = assert.fail('no diagram')] = /```mermaid\n[\s\S]*?```/.exec(read('docs/guides/kubernetes.md')) ?? []
  const values = parse(read('deploy/helm/roadworthy/values.yaml')) as Readonly<Record<string, { readonly replicas: number }>>
  for (const role of ROLES) assert.ok(diagram.includes(`["${role}: ${values[role]?.replicas} pods"]`), role)
  const { autoscaling } = values['engine'] as unknown as { autoscaling: { minReplicas: number; maxReplicas: number } }
  assert.ok(diagram.includes(`["engine: ${autoscaling.minReplicas} to ${autoscaling.maxReplicas} pods"]`))
  const opened = [...`${template('platform.yaml')}${template('engine.yaml')}`.matchAll(/containerPort: (\d+)/g)].map(([, port]) => port)
  const shown = [...diagram.matchAll(/(\d{4})" -->/g)].map(([, port]) => port)
  assert.ok(shown.length >= 6)
  // That of PostgreSQL is not the chart's.
  assert.deepEqual([...new Set(shown)].filter((port) => !opened.includes(port)).sort(), ['5432'])
})
