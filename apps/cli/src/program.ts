import { Command, Option } from 'commander'
import { checkRequired, type Surroundings, urlOf } from './command.ts'
import { addBackup } from './commands/backup.ts'
import { addBilling } from './commands/billing.ts'
import { addBrands } from './commands/brands.ts'
import { addCitus } from './commands/citus.ts'
import { addConfig } from './commands/config.ts'
import { addDoctor } from './commands/doctor.ts'
import { addDrill } from './commands/drill.ts'
import { addEngine } from './commands/engine.ts'
import { addEvaluate } from './commands/evaluate.ts'
import { addExport } from './commands/export.ts'
import { addFit } from './commands/fit.ts'
import { addHistory } from './commands/history.ts'
import { addImport } from './commands/import.ts'
import { addInvoices } from './commands/invoices.ts'
import { addKeys } from './commands/keys.ts'
import { addLicense } from './commands/license.ts'
import { addLoad } from './commands/load.ts'
import { addMqtt } from './commands/mqtt.ts'
import { addPgbouncer } from './commands/pgbouncer.ts'
import { addPredict } from './commands/predict.ts'
import { addReplay } from './commands/replay.ts'
import { addResellers } from './commands/resellers.ts'
import { addRestore } from './commands/restore.ts'
import { addSims } from './commands/sims.ts'
import { addSimulate } from './commands/simulate.ts'
import { addTrain } from './commands/train.ts'
import { addUp } from './commands/up.ts'
import { addUpgrade } from './commands/upgrade.ts'
import { addUsers } from './commands/users.ts'
import { addVerifyInvoice } from './commands/verify-invoice.ts'
import { addVerifyStatement } from './commands/verify-statement.ts'
import { addWal } from './commands/wal.ts'

const VERSION = '2.0.0'

const AFTER_HELP = `
The running instance is found by the credentials.json in its data folder. --base-url and --api-key speak to one that runs elsewhere.
Answers go to stdout, everything else to stderr. Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not allowed, 4 not found.

Examples:
  $ npx roadworthy up
  $ npx roadworthy doctor
  $ npx roadworthy keys create --reseller roadworthy --name "Dashboard" --scopes vehicles:read,predict
  $ npx roadworthy help replay`

export function createProgram(surroundings: Surroundings): Command {
  const program = new Command('roadworthy')
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
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .showHelpAfterError('(--help shows what there is)')
    .exitOverride()
    .hook('preAction', (_program, command) => checkRequired(command))
    .addHelpText('after', AFTER_HELP)
  addUp(program)
  addEngine(program)
  addSimulate(program, surroundings)
  addReplay(program, surroundings)
  addResellers(program, surroundings)
  addKeys(program, surroundings)
  addUsers(program, surroundings)
  addBrands(program, surroundings)
  addCitus(program, surroundings)
  addHistory(program, surroundings)
  addBackup(program, surroundings)
  addRestore(program, surroundings)
  addDrill(program, surroundings)
  addWal(program, surroundings)
  addImport(program, surroundings)
  addInvoices(program, surroundings)
  addBilling(program, surroundings)
  addMqtt(program, surroundings)
  addPgbouncer(program, surroundings)
  addSims(program, surroundings)
  addPredict(program, surroundings)
  addTrain(program, surroundings)
  addEvaluate(program, surroundings)
  addFit(program, surroundings)
  addExport(program, surroundings)
  addLicense(program, surroundings)
  addVerifyStatement(program, surroundings)
  addVerifyInvoice(program, surroundings)
  addUpgrade(program, surroundings)
  addConfig(program, surroundings)
  addDoctor(program, surroundings)
  addLoad(program, surroundings)
  return program
}
