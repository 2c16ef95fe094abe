// Every setting of the engine, with its default and its check.
import type { KeyObject } from 'node:crypto'
import { placeProblems } from '@roadworthy/service-kit/process/place-problems'
import {
  type Environment,
  formatEffective,
  formatEnvExample,
  formatHelp,
  formatProblems,
  loadSettings,
  type SettingProblem,
  withSecrets,
} from '@roadworthy/service-kit/process/settings'
import { findTraceProblems, traceSettings } from '@roadworthy/service-kit/telemetry/trace-settings'
import { type Static, Type } from 'typebox'
import { type InputPlan, inputSettings, planInput } from './inputs/input-settings.ts'
import { readPublicKey } from './license/license.ts'
import { presetWorkers, thisMachine } from './workers/preset-workers.ts'

const MAX_PORT = 65_535

export const EngineSettingsSchema = Type.Object({
  enginePort: Type.Integer({
    minimum: 0,
    maximum: MAX_PORT,
    default: 8090,
    description: 'Port of the engine. 0 picks a free one. Also --port.',
  }),
  host: Type.String({
    default: '127.0.0.1',
    minLength: 1,
    description: 'Address the engine listens on; it asks for no key, so mind who reaches it.',
  }),
  modelsDir: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'Folder of trained models, <name>/<version>/. When it is set, the engine answers no predictions until one of its models is loaded.',
      defaultText: 'the models that come with the engine',
      example: '/var/lib/roadworthy/models',
    }),
  ),
  modelsPollIntervalS: Type.Integer({
    minimum: 0,
    maximum: 86_400,
    default: 30,
    description: 'The folder of models is looked at this often; SIGHUP does it at once. 0: only then.',
  }),
  onnxRuntimeDir: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'Folder in which onnxruntime-node is installed, for models of the kind onnx, which a customer brings.',
      defaultText: 'where npm installed the engine',
      example: '/opt/onnxruntime',
    }),
  ),
  engineEdition: Type.Enum(['payg', 'byol'], {
    default: 'payg',
    description: 'payg asks for no licence; byol verifies the one in ENGINE_LICENSE_KEY. Also --edition.',
  }),
  engineLicenseKey: Type.Optional(
    Type.String({ secret: true, description: 'Licence of the edition byol, as its issuer gave it out.', example: 'rwl1.eyJ…' }),
  ),
  engineLicensePublicKey: Type.Optional(
    Type.String({
      secret: true,
      description: 'Public key that licences are verified by: Ed25519, PEM or base64 of its DER.',
      example: 'MCowBQYDK2VwAyEA…',
    }),
  ),
  engineWorkers: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 64,
      description: 'Processes that share the port; each has 130 MB. More than one is for REST only. Also --workers.',
      defaultText: 'one for each core, at most 4 and at most one for 512 MB of memory; 1 with stream or mqtt, and beside the platform',
      example: '2',
    }),
  ),
  ...inputSettings,
  ...traceSettings,
  logLevel: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    default: 'info',
    description: 'How much is logged.',
  }),
  exitWithParent: Type.Boolean({
    default: false,
    description: 'Stop when standard input closes: when the parent is gone, however it died.',
  }),
})
type SecretName =
  | 'otelExporterOtlpHeaders'
  | 'engineLicenseKey'
  | 'engineLicensePublicKey'
  | 'engineKafkaSaslPassword'
  | 'engineMqttPassword'
export type EngineSettings = Omit<Static<typeof EngineSettingsSchema>, SecretName>

/** Not enumerable, so that neither a log nor JSON shows them. */
export type EngineSecrets = {
  readonly licenseKey: string | undefined
  readonly licensePublicKey: KeyObject | undefined
  readonly otlpHeaders: string | undefined
}

export type Run = { kind: 'run'; settings: EngineSettings; secrets: EngineSecrets; input: InputPlan; workers: number }

/** What the command line asks for: to run with settings, or to print something and exit with that code. */
export type Invocation = Run | { kind: 'print'; text: string; exitCode: 0 | 2 }

const USAGE =
  'Roadworthy ML engine: health, remaining life and alerts over HTTP. Prints "ready engine http://HOST:PORT" when it takes requests.\n\nUsage: node services/engine/src/main.ts [flags]'

/** The engine's own name for its port, for whoever starts it by hand. */
const SHORT_FLAGS: Readonly<Record<string, string>> = {
  '--port': '--engine-port',
  '--edition': '--engine-edition',
  '--workers': '--engine-workers',
}

export function readInvocation(args: readonly string[], env: Environment, hostName = 'engine', machine = thisMachine()): Invocation {
  const loaded = loadSettings(EngineSettingsSchema, args, env, SHORT_FLAGS)
  if (loaded.kind === 'help') return { kind: 'print', text: formatHelp(EngineSettingsSchema, USAGE), exitCode: 0 }
  if (loaded.kind === 'problems') return refuse(loaded.problems)
  const { settings, secrets, isCheckOnly } = loaded
  const refusePlaced = (problems: readonly SettingProblem[]) => refuse(placeProblems(problems, loaded.sources))
  const licensePublicKey = parsePublicKey(secrets['engineLicensePublicKey'])
  if (licensePublicKey instanceof Error) {
    const fix = `it is no Ed25519 public key (${licensePublicKey.message}).`
    return refusePlaced([{ name: 'ENGINE_LICENSE_PUBLIC_KEY', value: '(hidden)', source: 'settings', fix }])
  }
  const planned = planInput(settings, secrets, hostName)
  if ('problems' in planned) return refusePlaced(planned.problems)
  const otlpHeaders = secrets['otelExporterOtlpHeaders']
  const traceProblems = findTraceProblems(settings, otlpHeaders)
  if (traceProblems.length > 0) return refusePlaced(traceProblems)
  const isRestOnly = planned.plan.kind === 'rest'
  const workers = settings.engineWorkers ?? (isRestOnly ? presetWorkers(machine) : 1)
  if (workers > 1 && !isRestOnly) {
    const fix = `ENGINE_INPUT=${settings.engineInput} keeps the windows of vehicles in one process; use 1, and more engines of one group.`
    return refusePlaced([{ name: 'ENGINE_WORKERS', value: String(workers), source: 'settings', fix }])
  }
  if (isCheckOnly) {
    return { kind: 'print', text: formatEffective(EngineSettingsSchema, { ...settings, engineWorkers: workers }, secrets), exitCode: 0 }
  }
  const licenseKey = secrets['engineLicenseKey']
  return { kind: 'run', settings, secrets: withSecrets({}, { licenseKey, licensePublicKey, otlpHeaders }), input: planned.plan, workers }
}

/** The settings of the engine that no other schema of the installation has, for the example file. */
export function engineEnvExample(without: readonly string[]): string {
  return formatEnvExample(EngineSettingsSchema, without)
}

function parsePublicKey(text: string | undefined): KeyObject | Error | undefined {
  try {
    return text === undefined ? undefined : readPublicKey(text)
  } catch (error) {
    return error as Error
  }
}

function refuse(problems: readonly SettingProblem[]): Invocation {
  return { kind: 'print', text: `${formatProblems(problems)}\n`, exitCode: 2 }
}
