// `npm run kubernetes-schemas`: the JSON schemas that the test of the Helm chart validates by, of the kinds that the chart has, out of two
// Go modules: the OpenAPI document of Kubernetes, and the definition of ServiceMonitor of the Prometheus operator. Needs Go; run it when a version changes.

import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

const KUBERNETES = 'k8s.io/kubernetes@v1.36.3'
const OPERATOR = 'github.com/prometheus-operator/prometheus-operator@v0.85.0'
const SERVICE_MONITOR = 'example/prometheus-operator-crd/monitoring.coreos.com_servicemonitors.yaml'
const FOLDER = join(import.meta.dirname, '../../test/fixtures/kubernetes-schemas')

/** By the file name that kubeconform asks for. */
const KINDS = {
  'deployment-apps-v1': 'io.k8s.api.apps.v1.Deployment',
  'statefulset-apps-v1': 'io.k8s.api.apps.v1.StatefulSet',
  'service-v1': 'io.k8s.api.core.v1.Service',
  'serviceaccount-v1': 'io.k8s.api.core.v1.ServiceAccount',
  'horizontalpodautoscaler-autoscaling-v2': 'io.k8s.api.autoscaling.v2.HorizontalPodAutoscaler',
  'poddisruptionbudget-policy-v1': 'io.k8s.api.policy.v1.PodDisruptionBudget',
  'networkpolicy-networking-v1': 'io.k8s.api.networking.v1.NetworkPolicy',
  'ingress-networking-v1': 'io.k8s.api.networking.v1.Ingress',
}
/** A number or a text, which OpenAPI 2 has no word for. */
const EITHER = new Set(['io.k8s.apimachinery.pkg.util.intstr.IntOrString', 'io.k8s.apimachinery.pkg.api.resource.Quantity'])
const REFERENCE = '#/definitions/'

type Schema = { readonly [key: string]: unknown }

const { definitions } = JSON.parse(readFileSync(join(folderOf(KUBERNETES), 'api/openapi-spec/swagger.json'), 'utf8')) as {
  definitions: Readonly<Record<string, Schema>>
}
rmSync(FOLDER, { recursive: true, force: true })
mkdirSync(FOLDER, { recursive: true })
for (const [file, root] of Object.entries(KINDS)) write(file, { $ref: REFERENCE + root, definitions: withAllItNeeds(root) })
write('servicemonitor-monitoring-v1', serviceMonitor())
writeFileSync(
  join(FOLDER, 'README.md'),
  `# JSON schemas of Kubernetes\n\nWritten by \`npm run kubernetes-schemas\` from ${KUBERNETES} and ${OPERATOR}, both under the Apache License 2.0, without descriptions, and with unknown fields refused.\n`,
)

/** Where Go keeps a module, fetched if need be. */
function folderOf(module: string): string {
  const { status, stdout, stderr } = spawnSync('go', ['mod', 'download', '-json', module], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${module} is not to be had: ${stderr}`)
  return (JSON.parse(stdout) as { Dir: string }).Dir
}

function write(file: string, schema: Schema): void {
  writeFileSync(join(FOLDER, `${file}.json`), `${JSON.stringify(schema)}\n`)
}

function withAllItNeeds(root: string): Schema {
  const needed = new Map<string, unknown>()
  const visit = (name: string): void => {
    if (needed.has(name)) return
    const schema = EITHER.has(name) ? { type: ['string', 'number'] } : strict(definitions[name] ?? {})
    needed.set(name, schema)
    for (const [, next = ''] of JSON.stringify(schema).matchAll(/"#\/definitions\/([^"]+)"/g)) visit(next)
  }
  visit(root)
  return Object.fromEntries(needed)
}

function serviceMonitor(): Schema {
  const document = parse(readFileSync(join(folderOf(OPERATOR), SERVICE_MONITOR), 'utf8')) as {
    spec: { versions: { name: string; schema: { openAPIV3Schema: Schema } }[] }
  }
  const version = document.spec.versions.find(({ name }) => name === 'v1')
  if (version === undefined) throw new Error(`${SERVICE_MONITOR} has no version v1`)
  const schema = strict(version.schema.openAPIV3Schema) as { properties: Schema }
  // A definition leaves the metadata to Kubernetes.
  return { ...schema, properties: { ...schema.properties, metadata: { type: 'object' } } }
}

/** Without what only people read, and with every field refused that is not named. The value below `properties` are names, not words of a schema. */
function strict(schema: Schema): Schema {
  const entries = Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
    if (key === 'description' || key === 'format' || key.startsWith('x-kubernetes-')) return []
    if (key === 'properties') return [[key, mapValues(value as Schema, (each) => strict(each as Schema))]]
    if (key === 'items' || (key === 'additionalProperties' && typeof value === 'object')) return [[key, strict(value as Schema)]]
    return [[key, value]]
  })
  const either = schema['x-kubernetes-int-or-string'] === true
  const isClosed = 'properties' in schema && !('additionalProperties' in schema) && schema['x-kubernetes-preserve-unknown-fields'] !== true
  return Object.fromEntries([
    ...entries.filter(([key]) => !either || !['type', 'anyOf'].includes(key)),
    ...(isClosed ? [['additionalProperties', false]] : []),
  ])
}

function mapValues(object: Schema, change: (value: unknown) => unknown): Schema {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))
}
