import { Command, Option } from 'commander'
import { checkRequired, type Surroundings, urlOf } from './command.ts'

const VERSION = '2.0.0'

const AFTER_HELP = `
The running instance is found by the credentials.json in its data folder.
--base-url and --api-key speak to one that runs elsewhere. Answers go to stdout,
everything else to stderr. Exit codes: 0 done, 1 failed, 2 wrong usage,
3 not allowed, 4 not found.

Examples:
  $ npx roadworthy up
  $ npx roadworthy doctor
  $ npx roadworthy keys create --reseller roadworthy --name "Dashboard" --scopes vehicles:read,predict
  $ npx roadworthy help replay`

/** Commander wraps no description that has fewer columns beside its command, and 40 are more than the longest command leaves of 80. */
const MIN_WRAPPED_COLUMNS = 20

type AddCommand = (program: Command, surroundings: Surroundings) => void

/** By name, in the order of the help. Loading all of them takes three times as long as running a short one. */
const COMMANDS: Readonly<Record<string, () => Promise<AddCommand>>> = {
  up: async () => (await import('./commands/up.ts')).addUp,
  engine: async () => (await import('./commands/engine.ts')).addEngine,
  simulate: async () => (await import('./commands/simulate.ts')).addSimulate,
  replay: async () => (await import('./commands/replay.ts')).addReplay,
  resellers: async () => (await import('./commands/resellers.ts')).addResellers,
  keys: async () => (await import('./commands/keys.ts')).addKeys,
  users: async () => (await import('./commands/users.ts')).addUsers,
  brands: async () => (await import('./commands/brands.ts')).addBrands,
  citus: async () => (await import('./commands/citus.ts')).addCitus,
  history: async () => (await import('./commands/history.ts')).addHistory,
  backup: async () => (await import('./commands/backup.ts')).addBackup,
  restore: async () => (await import('./commands/restore.ts')).addRestore,
  drill: async () => (await import('./commands/drill.ts')).addDrill,
  wal: async () => (await import('./commands/wal.ts')).addWal,
  import: async () => (await import('./commands/import.ts')).addImport,
  invoices: async () => (await import('./commands/invoices.ts')).addInvoices,
  billing: async () => (await import('./commands/billing.ts')).addBilling,
  mqtt: async () => (await import('./commands/mqtt.ts')).addMqtt,
  pgbouncer: async () => (await import('./commands/pgbouncer.ts')).addPgbouncer,
  sims: async () => (await import('./commands/sims.ts')).addSims,
  predict: async () => (await import('./commands/predict.ts')).addPredict,
  train: async () => (await import('./commands/train.ts')).addTrain,
  evaluate: async () => (await import('./commands/evaluate.ts')).addEvaluate,
  fit: async () => (await import('./commands/fit.ts')).addFit,
  export: async () => (await import('./commands/export.ts')).addExport,
  license: async () => (await import('./commands/license.ts')).addLicense,
  'verify-statement': async () => (await import('./commands/verify-statement.ts')).addVerifyStatement,
  'verify-invoice': async () => (await import('./commands/verify-invoice.ts')).addVerifyInvoice,
  upgrade: async () => (await import('./commands/upgrade.ts')).addUpgrade,
  config: async () => (await import('./commands/config.ts')).addConfig,
  doctor: async () => (await import('./commands/doctor.ts')).addDoctor,
  load: async () => (await import('./commands/load.ts')).addLoad,
}

/** Global options that have a value after them, unless it stands behind `=`. */
const WITH_VALUE = new Set(['--data-dir', '--base-url', '--api-key'])

/** With the command that the arguments name; with all of them where they name none, for the help. */
export async function createProgram(surroundings: Surroundings, args: readonly string[] = []): Promise<Command> {
  const program = createEmptyProgram()
  const named = COMMANDS[commandOf(args) ?? '']
  for (const load of named === undefined ? Object.values(COMMANDS) : [named]) (await load())(program, surroundings)
  return program
}

function commandOf(args: readonly string[]): string | undefined {
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    if (WITH_VALUE.has(arg)) at++
    else if (!arg.startsWith('-')) return Object.hasOwn(COMMANDS, arg) ? arg : undefined
  }
  return undefined
}

/** Of the program alone: those of `export`, some required, are none of `export onnx`. */
function visibleGlobalOptions(command: Command): Option[] {
  if (command.parent === null) return []
  let program = command
  while (program.parent !== null) program = program.parent
  return program.options.filter(({ hidden }) => !hidden)
}

function createEmptyProgram(): Command {
  return new Command('roadworthy')
    .description('Roadworthy: fleet telematics and predictive maintenance.')
    .version(VERSION, '--version')
    .addOption(
      new Option('--data-dir <dir>', 'data folder of the instance (default: .data here, else the one of this checkout)').env('DATA_DIR'),
    )
    .addOption(
      new Option('--base-url <url>', 'address of an instance that runs elsewhere')
        .env('ROADWORTHY_BASE_URL')
        .argParser(urlOf('http:', 'https:')),
    )
    .addOption(
      new Option(
        '--api-key <key>',
        'API key to call it with; safer in the environment, or in a file that ROADWORTHY_API_KEY_FILE names',
      ).env('ROADWORTHY_API_KEY'),
    )
    .option('--json', 'answer in JSON, on stdout, and nothing else there')
    .helpOption('-h, --help', 'show this')
    .helpCommand('help [command]', 'show the help of a command')
    .configureHelp({ showGlobalOptions: true, visibleGlobalOptions, sortSubcommands: false, minWidthToWrap: MIN_WRAPPED_COLUMNS })
    .showHelpAfterError('(--help shows what there is)')
    .exitOverride()
    .hook('preAction', (_program, command) => checkRequired(command))
    .addHelpText('after', AFTER_HELP)
}
