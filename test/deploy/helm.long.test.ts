// Goal: what the chart renders is what Kubernetes and the service take. Method: helm renders it in the variants that its values allow; kubeconform compares
// each field with the schemas of Kubernetes; the service reads the variables of each container as at a start.

import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readInvocation as readEngineInvocation } from '@roadworthy/engine/settings'
import { ROLES } from '@roadworthy/platform/main/roles'
import { listenPorts, readInvocation } from '@roadworthy/platform/main/settings/settings'
import { stringify } from 'yaml'
import { assertShown, stepsOf } from '../e2e/guide-blocks.ts'
import {
  CHART,
  componentOf,
  containerOf,
  environmentOf,
  faultsOf,
  type Manifest,
  parseManifests,
  ROOT,
  refusalOf,
  render,
  renderText,
  runHelm,
  runKubeconform,
  skipOfHelm as skip,
  workloadsOf,
} from './rendered-chart.ts'

const MONITORING = [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }]
/** Everything that is off by itself. */
const EVERYTHING = {
  image: { registry: 'images.example.com/fleet', tag: '2.0.1', pullSecrets: ['pull'] },
  secret: { keys: { SMTP_URL: 'smtp-url', BROKER_AUTH_SECRET: 'broker-auth' } },
  settings: { MAIL_FROM: 'fleet@example.com', TRUST_PROXY: '10.0.0.0/8', SCORING_INTERVAL_S: '20' },
  trustedCa: { configMap: 'authorities' },
  engine: { secret: { name: 'licence', keys: { ENGINE_LICENSE_KEY: 'key' } }, modelsClaim: 'models', settings: { ENGINE_EDITION: 'byol' } },
  mqtt: { serviceType: 'LoadBalancer', tlsSecret: 'mqtt-tls', plain: false, annotations: { 'example.com/a': 'b' } },
  ingress: { enabled: true, className: 'nginx', host: 'fleet.example.com', tlsSecret: 'fleet-tls', annotations: { 'example.com/a': 'b' } },
  networkPolicy: {
    httpFrom: [{ namespaceSelector: {} }],
    mqttFrom: [{ ipBlock: { cidr: '203.0.113.0/24' } }],
    metricsFrom: MONITORING,
    databaseTo: [{ ipBlock: { cidr: '10.1.2.3/32' } }],
    egress: [{ to: [{ ipBlock: { cidr: '10.30.0.0/16' } }], ports: [{ port: 9092 }] }],
  },
  serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
  serviceAccount: { annotations: { 'example.com/role': 'history' } },
  nodeSelector: { 'kubernetes.io/arch': 'amd64' },
  tolerations: [{ key: 'fleet', operator: 'Exists' }],
}
const VARIANTS: Readonly<Record<string, object>> = {
  defaults: {},
  everything: EVERYTHING,
  'an external broker': {
    settings: { MQTT_BROKER_URL: 'mqtts://mqtt.example.com', MQTT_BROKER_USERNAME: 'roadworthy' },
    secret: { keys: { MQTT_BROKER_PASSWORD: 'mqtt' } },
  },
  'no network policy, no autoscaler': { networkPolicy: { enabled: false }, engine: { autoscaling: { enabled: false } } },
}

const SECRETS = { DATABASE_URL: 'postgresql://a:b@db/c', SMTP_URL: 'smtps://mail.example.com' }

const folder = mkdtempSync(join(tmpdir(), 'roadworthy-helm-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

/** The flags that give helm these values. */
function flagsOf(values: object): string[] {
  const file = join(mkdtempSync(join(folder, 'values-')), 'values.yaml')
  writeFileSync(file, stringify(values))
  return ['--values', file]
}

for (const [name, values] of Object.entries(VARIANTS)) {
  test(`with ${name}, every field is one that Kubernetes knows, and no secret is among them`, { skip }, () => {
    const text = renderText(flagsOf(values))
    assert.equal(faultsOf(text), '')
    const manifests = parseManifests(text)
    assert.ok(!manifests.some(({ kind }) => kind === 'Secret'))
    assert.equal(new Set(manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).size, manifests.length)
  })

  test(`with ${name}, the service takes the settings of each container and opens its ports`, { skip }, () => {
    const workloads = workloadsOf(render(...flagsOf(values)))
    assert.deepEqual(workloads.map(componentOf).sort(), [...ROLES, 'engine'].sort())
    for (const workload of workloads) {
      const container = containerOf(workload)
      const role = componentOf(workload)
      const env = environmentOf(container, folder, SECRETS)
      const ports = container.ports.map(({ containerPort }) => containerPort)
      if (role === 'engine') {
        const invocation = readEngineInvocation([], env)
        if (invocation.kind === 'print') assert.fail(invocation.text)
        assert.deepEqual(ports, [invocation.settings.enginePort])
        continue
      }
      const invocation = readInvocation([], env)
      if (invocation.kind === 'print') assert.fail(`${role}: ${invocation.text}`)
      const { settings } = invocation.configuration
      assert.equal(settings.roles, role)
      const opened = listenPorts(settings).filter(({ name: setting }) => setting !== 'DATABASE_PORT')
      assert.deepEqual(ports.sort(), opened.map(({ port }) => port).sort(), role)
    }
  })

  test(`with ${name}, services, policies and budgets select pods that there are, by ports that they have`, { skip }, () => {
    const manifests = render(...flagsOf(values))
    const workloads = workloadsOf(manifests)
    const selected = (labels: Readonly<Record<string, string>>) =>
      workloads.filter(({ spec }) => Object.entries(labels).every(([key, value]) => spec.template.metadata.labels[key] === value))
    for (const { kind, metadata, spec } of manifests) {
      if (kind === 'Service') {
        const [workload, ...others] = selected(spec.selector)
        assert.ok(workload !== undefined && others.length === 0, metadata.name)
        for (const { targetPort } of spec.ports)
          assert.ok(
            containerOf(workload).ports.some((port) => port.name === targetPort),
            metadata.name,
          )
      } else if (kind === 'PodDisruptionBudget') assert.equal(selected(spec.selector.matchLabels).length, 1, metadata.name)
    }
    const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy')
    assert.equal(policies.length, name.startsWith('no network policy') ? 0 : 5)
    if (policies.length > 0) assert.equal(selectedByClosed(policies, selected).length, 4)
  })
}

function selectedByClosed(policies: readonly Manifest[], selected: (labels: Readonly<Record<string, string>>) => Manifest[]): Manifest[] {
  const [closed] = policies.filter(({ spec }) => spec['ingress'] === undefined && spec['egress'] === undefined)
  const { podSelector, policyTypes } = (closed?.spec ?? assert.fail('none closes')) as unknown as {
    podSelector: { matchLabels: Record<string, string> }
    policyTypes: string[]
  }
  assert.deepEqual(policyTypes, ['Ingress', 'Egress'])
  return selected(podSelector.matchLabels)
}

type Rule = { readonly from?: unknown[]; readonly to?: unknown[]; readonly ports?: readonly { readonly port: number }[] }

/** What the policy of a role opens: ports by which side, and who may use them where not everybody may. */
function openedBy(manifests: readonly Manifest[], role: string) {
  const policy = manifests.find((each) => each.kind === 'NetworkPolicy' && componentOf(each) === role) ?? assert.fail(role)
  const { ingress, egress = [] } = policy.spec as unknown as { ingress: readonly Rule[]; egress?: readonly Rule[] }
  const portsOf = ({ ports = [] }: Rule) => ports.map(({ port }) => port)
  return { ingress, egress, takes: ingress.flatMap(portsOf), calls: [...new Set(egress.flatMap(portsOf))] }
}

test('each role takes and calls what the guide lists, and metrics are closed until somebody is named', { skip }, () => {
  const manifests = render()
  const opened = [...ROLES, 'engine'].map((role) => [role, openedBy(manifests, role).takes, openedBy(manifests, role).calls])
  assert.deepEqual(opened, [
    ['api', [8080], [53, 5432, 8090]],
    ['receivers', [8080, 1883], [53, 5432]],
    ['worker', [], [53, 5432, 8090]],
    ['engine', [8090], []],
  ])
  const callers = JSON.stringify(openedBy(manifests, 'engine').ingress.map(({ from }) => from))
  assert.deepEqual(
    [...callers.matchAll(/"app\.kubernetes\.io\/component":"(\w+)"/g)].map(([, role]) => role),
    ['api', 'worker'],
  )
  const everywhere = openedBy(manifests, 'worker').egress.filter(({ ports }) => ports === undefined)
  assert.equal(everywhere.length, 1)
  for (const closed of ['10.0.0.0/8', '169.254.0.0/16', '192.168.0.0/16']) assert.ok(JSON.stringify(everywhere).includes(closed), closed)
  const watched = render(...flagsOf({ networkPolicy: { metricsFrom: MONITORING } }))
  for (const role of ROLES) assert.ok(openedBy(watched, role).takes.includes(9464), role)
  assert.ok(JSON.stringify(openedBy(watched, 'engine').ingress).includes('monitoring'))
})

test('the notes name what is open and missing, and how many connections PostgreSQL is to take', { skip }, () => {
  const copy = join(folder, 'noted')
  cpSync(CHART, copy, { recursive: true })
  // helm shows them after an installation only.
  cpSync(join(copy, 'templates/NOTES.txt'), join(copy, 'notes'))
  writeFileSync(
    join(copy, 'templates/notes.yaml'),
    'kind: ConfigMap\nmetadata: { name: notes }\ndata: { text: {{ tpl (.Files.Get "notes") . | quote }} }\n',
  )
  const notes = (values: object) => renderText([...flagsOf(values), '--show-only', 'templates/notes.yaml'], copy)
  const presets = notes({})
  // Each role has two, and one more in an update: 3 × (17 + 17 + 5).
  assert.match(presets, /PostgreSQL is to take 117 connections/)
  assert.match(presets, /settings\.BASE_URL is not set/)
  assert.doesNotMatch(presets, /without TLS|TRUST_PROXY|can be reached by every pod/)
  assert.match(notes({ mqtt: { serviceType: 'LoadBalancer' } }), /Port 1883 is open to the outside without TLS/)
  assert.match(notes({ networkPolicy: { enabled: false } }), /can be reached by every pod/)
  const behind = notes({ ingress: { enabled: true, host: 'fleet.example.com' } })
  assert.match(behind, /dashboard is at https:\/\/fleet\.example\.com/)
  assert.match(behind, /TRUST_PROXY is not set/)
  const trusted = notes({ ingress: { enabled: true, host: 'fleet.example.com' }, settings: { TRUST_PROXY: '10.0.0.0/8' } })
  assert.doesNotMatch(trusted, /TRUST_PROXY/)
  assert.match(notes({ settings: { MQTT_BROKER_URL: 'mqtt://mqtt.example.com' } }), /Devices connect to the broker of MQTT_BROKER_URL/)
})

test('every pod runs as the user of the image, with nothing that it may write but its volumes', { skip }, () => {
  for (const workload of workloadsOf(render())) {
    const { securityContext, automountServiceAccountToken, enableServiceLinks } = workload.spec.template.spec
    assert.deepEqual([automountServiceAccountToken, enableServiceLinks], [false, false])
    assert.deepEqual(securityContext, {
      ...{ runAsNonRoot: true, runAsUser: 10_001, runAsGroup: 10_001, fsGroup: 10_001, fsGroupChangePolicy: 'OnRootMismatch' },
      seccompProfile: { type: 'RuntimeDefault' },
    })
    assert.deepEqual(containerOf(workload).securityContext, {
      ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
    })
  }
})

test('receivers of an external broker keep their names, which it keeps messages under, and open no broker', { skip }, () => {
  const manifests = render('--set', 'settings.MQTT_BROKER_URL=mqtt://mqtt.example.com')
  const receivers = workloadsOf(manifests).find((each) => componentOf(each) === 'receivers')
  assert.equal(receivers?.kind, 'StatefulSet')
  assert.ok(manifests.some(({ kind, metadata }) => kind === 'Service' && metadata.name === receivers?.spec['serviceName']))
  assert.ok(!manifests.some(({ metadata }) => metadata.name.endsWith('-mqtt')))
})

test('the autoscaler has the number of engines: 1 to 10', { skip }, () => {
  const manifests = render()
  const engine = workloadsOf(manifests).find((each) => componentOf(each) === 'engine')
  const { spec } = manifests.find(({ kind }) => kind === 'HorizontalPodAutoscaler') ?? assert.fail('none')
  assert.deepEqual([spec['minReplicas'], spec['maxReplicas'], engine?.spec.replicas], [1, 10, undefined])
  const fixed = workloadsOf(render('--set', 'engine.autoscaling.enabled=false')).find((each) => componentOf(each) === 'engine')
  assert.equal(fixed?.spec.replicas, 2)
})

test('a wrong value is refused and named', { skip }, () => {
  assert.match(refusalOf('--set', 'apis.replicas=3'), /apis.*not allowed/s)
  assert.match(refusalOf('--set', 'api.replica=3'), /replica.*not allowed/s)
  assert.match(refusalOf('--set', 'api.replicas=0'), /\/api\/replicas/)
  assert.match(refusalOf('--set-string', 'settings.SCORING_INTERVALS=20'), /SCORING_INTERVALS/)
  assert.match(refusalOf('--set', 'settings.SCORING_INTERVAL_S=20'), /SCORING_INTERVAL_S.*want string/s)
  assert.match(refusalOf('--set', 'settings.ROLES=api'), /ROLES/)
  assert.match(refusalOf('--set', 'settings.SMTP_URL=smtps://a:b@mail.example.com'), /SMTP_URL/)
  assert.match(refusalOf('--set', 'secret.keys.DATABASE_URL=null'), /DATABASE_URL/)
  assert.match(refusalOf('--set', 'engine.autoscaling.maxReplicas=11'), /maxReplicas/)
  assert.match(refusalOf('--set', 'engine.autoscaling.minReplicas=4,engine.autoscaling.maxReplicas=3'), /minReplicas is more than/)
  assert.match(refusalOf('--set', 'ingress.enabled=true'), /host/)
  assert.match(refusalOf('--set', 'mqtt.plain=false'), /mqtt\.tlsSecret is empty/)
  assert.match(refusalOf('--set', 'serviceMonitor.enabled=true'), /networkPolicy\.metricsFrom/)
})

test('a wrong field in a template is found', { skip }, () => {
  const copy = join(folder, 'chart')
  cpSync(CHART, copy, { recursive: true })
  const file = join(copy, 'templates/engine.yaml')
  writeFileSync(file, readFileSync(file, 'utf8').replace('imagePullPolicy:', 'imagePullPolicies:'))
  assert.match(faultsOf(renderText([], copy)), /imagePullPolicies/)
})

test('helm finds nothing to complain of', { skip }, () => {
  const { status, stdout } = runHelm('lint', '--strict', CHART)
  assert.equal(status, 0, stdout)
})

function valuesOfGuide(): string {
  const guide = readFileSync(join(ROOT, 'docs/guides/kubernetes.md'), 'utf8')
  return /```yaml\n# values\.yaml\n([\s\S]*?)```/.exec(guide)?.[1] ?? assert.fail('no values.yaml')
}

test('every call of helm in the guide is accepted', { skip }, () => {
  const guide = readFileSync(join(ROOT, 'docs/guides/kubernetes.md'), 'utf8')
  const file = join(folder, 'guide-values.yaml')
  writeFileSync(file, valuesOfGuide())
  const calls = [...guide.matchAll(/^helm (.+(?:\\\n.+)*)$/gm)].map(([, call = '']) =>
    call
      .replaceAll('\\\n', ' ')
      .replace(/ \| .*/, '')
      .trim()
      .split(/\s+/),
  )
  assert.ok(calls.length >= 4, `${calls.length} calls`)
  for (const call of calls) {
    // Without a cluster: what would be sent to one, by the same flags.
    const [, ...rest] = call
    const isInstall = call[0] === 'upgrade' || call[0] === 'install'
    const args = isInstall
      ? ['template', ...rest.filter((arg) => !/^--(install|wait|atomic|create-namespace|timeout=\S+)$/.test(arg))]
      : call
    const { status, stdout, stderr } = runHelm(...args.map((arg) => (arg === 'values.yaml' ? file : arg)))
    assert.equal(status, 0, `${call.join(' ')}: ${stderr}`)
    if (args[0] === 'template') assert.equal(faultsOf(stdout), '', call.join(' '))
  }
})

test('what the guide shows of kubeconform is what it prints', { skip }, () => {
  const [step = assert.fail('no step'), ...others] = stepsOf('kubernetes.md').filter(({ lines }) => lines.includes('| kubeconform '))
  assert.ok(others.length === 0 && step.shown !== undefined)
  const values = join(folder, 'guide-values.yaml')
  writeFileSync(values, valuesOfGuide())
  const flags = step.lines.trim().split('| kubeconform ')[1]?.split(' ') ?? []
  const { status, stdout, stderr } = runKubeconform(renderText(['--values', values]), ...flags)
  assert.equal(status, 0, stderr)
  assertShown(step, stdout)
})
