// Every setting of the engine, with its default and its check.
import {
  type Environment,
  formatEffective,
  formatHelp,
  formatProblems,
  loadSettings,
  type SettingProblem,
} from '@roadworthy/service-kit/settings'
import { type Static, Type } from 'typebox'

const MAX_PORT = 65_535

const EngineSettingsSchema = Type.Object({
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
  engineEdition: Type.Enum(['payg', 'byol'], { default: 'payg', description: 'payg asks for no licence.' }),
  logLevel: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    default: 'info',
    description: 'How much is logged.',
  }),
  exitWithParent: Type.Boolean({
    default: false,
    description: 'Stop when standard input closes: when the parent is gone, however it died.',
  }),
})
export type EngineSettings = Static<typeof EngineSettingsSchema>

/** What the command line asks for: to run with settings, or to print something and exit with that code. */
export type Invocation = { kind: 'run'; settings: EngineSettings } | { kind: 'print'; text: string; exitCode: 0 | 1 }

const USAGE =
  'Roadworthy ML engine: health, remaining life and alerts over HTTP. Prints "ready engine http://HOST:PORT" when it takes requests.\n\nUsage: node services/engine/src/main.ts [flags]'

/** The engine's own name for its port, for whoever starts it by hand. */
const SHORT_FLAGS: Readonly<Record<string, string>> = { '--port': '--engine-port', '--edition': '--engine-edition' }

export function readInvocation(args: readonly string[], env: Environment): Invocation {
  const loaded = loadSettings(EngineSettingsSchema, args.map(toFullFlag), env)
  if (loaded.kind === 'help') return { kind: 'print', text: formatHelp(EngineSettingsSchema, USAGE), exitCode: 0 }
  if (loaded.kind === 'problems') return refuse(loaded.problems)
  const { settings, secrets, isCheckOnly } = loaded
  if (settings.engineEdition === 'byol') {
    const fix = 'this version of the engine verifies no licences. Use payg.'
    return refuse([{ name: 'ENGINE_EDITION', value: 'byol', source: 'settings', fix }])
  }
  if (isCheckOnly) return { kind: 'print', text: formatEffective(EngineSettingsSchema, settings, secrets), exitCode: 0 }
  return { kind: 'run', settings }
}

function toFullFlag(arg: string): string {
  const [flag = '', ...value] = arg.split('=')
  return [SHORT_FLAGS[flag] ?? flag, ...value].join('=')
}

function refuse(problems: readonly SettingProblem[]): Invocation {
  return { kind: 'print', text: `${formatProblems(problems)}\n`, exitCode: 1 }
}
