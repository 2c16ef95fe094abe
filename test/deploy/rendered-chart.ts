// The Helm chart rendered by the real helm, and checked by the real kubeconform, which .ci/run puts into a cache. Tests that want them skip where they are not.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { accessSync, constants, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { findProgram } from '../support/programs.ts'

export const ROOT = join(import.meta.dirname, '../..')
export const CHART = join(ROOT, 'deploy/helm/roadworthy')
const SCHEMAS = join(ROOT, 'test/fixtures/kubernetes-schemas')
const TOOLS = process.env['ROADWORTHY_KUBERNETES_TOOLS'] ?? join(homedir(), '.cache/roadworthy/kubernetes-tools')
/** Of the release in all tests. */
const RELEASE = 'fleet'
/** That of the schemas. A helm that `go install` has made takes itself for one of an old Kubernetes. */
const KUBERNETES_VERSION = '1.36.3'

const helm = findTool('helm')
const kubeconform = findTool('kubeconform')
/** Why a test is skipped, or false. */
export const skipOfHelm =
  helm === undefined || kubeconform === undefined ? 'needs helm and kubeconform, which .ci/run installs where there is Go' : false

type Variable = { readonly name: string; readonly value: string }
type Port = { readonly name: string; readonly containerPort: number }
type Probe = { readonly httpGet: { readonly path: string; readonly port: string } }
type Container = {
  readonly name: string
  readonly image: string
  readonly env: readonly Variable[]
  readonly ports: readonly Port[]
  readonly securityContext: unknown
  readonly startupProbe: Probe
  readonly livenessProbe: Probe
  readonly readinessProbe: Probe
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[]
  readonly resources: { readonly limits: { readonly memory: string } }
  readonly lifecycle?: { readonly preStop: { readonly sleep: { readonly seconds: number } } }
}
type Pod = {
  readonly containers: readonly [Container]
  readonly securityContext: unknown
  readonly automountServiceAccountToken: boolean
  readonly enableServiceLinks: boolean
  readonly terminationGracePeriodSeconds: number
  readonly volumes: readonly { readonly name: string; readonly secret?: { readonly items?: readonly { readonly path: string }[] } }[]
}
type Labels = Readonly<Record<string, string>>
export type Manifest = {
  readonly kind: string
  readonly metadata: { readonly name: string; readonly labels: Labels }
  readonly spec: {
    readonly replicas?: number
    readonly template: { readonly metadata: { readonly labels: Labels }; readonly spec: Pod }
    readonly selector: Labels & { readonly matchLabels: Labels }
    readonly ports: readonly { readonly name: string; readonly port: number; readonly targetPort: string }[]
    readonly [field: string]: unknown
  }
}

export function runHelm(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const version = args[0] === 'template' || args[0] === 'lint' ? ['--kube-version', KUBERNETES_VERSION] : []
  return spawnSync(helm ?? '', [...args, ...version], { cwd: ROOT, encoding: 'utf8', maxBuffer: 8 * 1024 ** 2 })
}

/** What `helm template` writes with these flags. `chart`: another folder than that of the repository. */
export function renderText(flags: readonly string[] = [], chart = CHART): string {
  const { status, stdout, stderr } = runHelm('template', RELEASE, chart, ...flags)
  assert.equal(status, 0, stderr)
  return stdout
}

/** Why helm refuses these flags. */
export function refusalOf(...flags: string[]): string {
  const { status, stderr } = runHelm('template', RELEASE, CHART, ...flags)
  assert.notEqual(status, 0, `accepted: ${flags.join(' ')}`)
  return stderr
}

export function parseManifests(text: string): Manifest[] {
  return parseAllDocuments(text).flatMap((document) => {
    assert.deepEqual(document.errors, [])
    const manifest = document.toJS() as Manifest | null
    return manifest === null ? [] : [manifest]
  })
}

export function render(...flags: string[]): Manifest[] {
  return parseManifests(renderText(flags))
}

/** What kubeconform finds wrong with them: nothing, or lines. Unknown fields, kinds without a schema and repeated keys count. */
export function faultsOf(text: string): string {
  const { status, stdout, stderr } = runKubeconform(text, '-strict')
  return status === 0 ? '' : `${stdout}${stderr}` || `ended with ${status}`
}

export function runKubeconform(text: string, ...flags: string[]) {
  const location = join(SCHEMAS, '{{ .ResourceKind }}{{ .KindSuffix }}.json')
  return spawnSync(kubeconform ?? '', [...flags, '-schema-location', location, '-'], { input: text, encoding: 'utf8' })
}

export function workloadsOf(manifests: readonly Manifest[]): Manifest[] {
  return manifests.filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet')
}

export function containerOf({ spec }: Manifest): Container {
  return spec.template.spec.containers[0]
}

/** The role that a manifest is of. */
export function componentOf({ metadata }: Manifest): string {
  return metadata.labels['app.kubernetes.io/component'] ?? assert.fail(metadata.name)
}

/** The variables of a container, as Kubernetes sets them. Secrets become files in `folder`; one that is not given is 40 letters. */
export function environmentOf({ env }: Container, folder: string, secrets: Readonly<Record<string, string>>): Record<string, string> {
  const entries = env.map(({ name, value }) => {
    const setting = name.replace(/_FILE$/, '')
    if (!value.startsWith('/run/secrets/roadworthy/')) return [name, value]
    assert.equal(value, `/run/secrets/roadworthy/${setting}`)
    const file = join(folder, setting)
    writeFileSync(file, secrets[setting] ?? 'x'.repeat(40))
    return [name, file]
  })
  assert.equal(new Set(entries.map(([name]) => name)).size, entries.length, 'a variable is set twice')
  return Object.fromEntries(entries)
}

function findTool(name: string): string | undefined {
  const cached = join(TOOLS, name)
  try {
    accessSync(cached, constants.X_OK)
    return cached
  } catch {
    return findProgram(name)
  }
}
