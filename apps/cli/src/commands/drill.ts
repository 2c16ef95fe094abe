import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { explainFullDisk } from '@roadworthy/platform/backup/full-disk'
import type { Command } from 'commander'
import {
  type At,
  databaseUrlOption,
  type PassphraseGiven,
  passphraseOption,
  readPassphrase,
  secretKeyOf,
  targetOf,
} from '../backup-options.ts'
import { type Context, examples, handle, type Surroundings } from '../command.ts'
import { type Drilled, drill, makeScratch, type Scratch } from '../drill.ts'
import { CommandFailure } from '../failure.ts'
import { makeBackup } from '../make-backup.ts'
import { coloured, formatTable } from '../output.ts'
import { stopOnSignals } from '../stop-signals.ts'

type DrillOptions = At & PassphraseGiven & { from?: string; scratch?: string; history: boolean }

export function addDrill(program: Command, surroundings: Surroundings): void {
  program
    .command('drill')
    .description(
      'rehearse a restore: in a scratch instance, compared with the backup table by table, and asked as a service; exit code 1 on any difference',
    )
    .option('--from <folder>', 'the backup; one is made, and removed again, unless given')
    .addOption(databaseUrlOption())
    .addOption(passphraseOption())
    .option('--no-history', 'of the backup that is made: without the files of the history')
    .option('--scratch <folder>', 'where there is room for the scratch instance (default: the folder for temporary files)')
    .addHelpText(
      'after',
      examples('npx roadworthy drill', 'npx roadworthy drill --from backups/first --passphrase-file passphrase.txt --json'),
    )
    .action(handle<DrillOptions>(surroundings, rehearse))
}

async function rehearse(context: Context, options: DrillOptions): Promise<void> {
  const { cwd, out } = context
  const scratch = makeScratch(options.scratch === undefined ? tmpdir() : resolve(cwd, options.scratch))
  try {
    const drilled = await run(context, options, scratch)
    report(context, drilled)
  } catch (error) {
    // Before the removal makes room.
    throw explainFullDisk(error, scratch.folder)
  } finally {
    scratch.remove()
    out.note('The scratch instance is removed.')
  }
}

async function run(context: Context, options: DrillOptions, scratch: Scratch): Promise<Drilled> {
  const { cwd, now, out } = context
  const target = targetOf(context, options)
  const signal = stopOnSignals()
  const isOwn = options.from === undefined
  // Of a backup that nobody opens but this drill.
  const passphrase = isOwn ? randomBytes(24).toString('base64url') : readPassphrase(context, options)
  const backup = isOwn ? join(scratch.folder, 'backup') : resolve(cwd, options.from ?? '')
  if (isOwn) await makeBackup(context, { target, to: backup, passphrase, isHistoryLeftOut: !options.history, signal })
  const progress = out.progress('drill')
  return await drill({
    ...{ backup, passphrase, secretKey: secretKeyOf(context, target), scratch, now: now(), signal },
    note: (line) => out.note(line),
    onProgress: (share, name) => progress.update(share, name),
  }).finally(() => progress.end())
}

function report({ out }: Context, { steps, compared = [], asOf }: Drilled): void {
  const isOk = steps.every((step) => step.isOk)
  const tables = compared.map(({ table, wanted, found, isEqual }) => {
    return { table, rows: wanted.rowCount, restored_rows: found.rowCount, hash: wanted.digest, restored_hash: found.digest, ok: isEqual }
  })
  const answer = { ok: isOk, as_of: asOf, steps: steps.map(({ step, isOk: ok, detail }) => ({ step, ok, detail })), tables }
  // Most tables of most instances are empty.
  const isShown = ({ rows, ok }: (typeof tables)[number]) => rows > 0 || !ok
  const emptyCount = tables.filter((table) => !isShown(table)).length
  out.answer(answer, () =>
    [
      formatTable(
        ['table', 'rows', 'restored', 'hash', ''],
        tables
          .filter(isShown)
          .map(({ table, rows, restored_rows, hash, ok }) => [table, `${rows}`, `${restored_rows}`, hash.slice(0, 12), mark(ok)]),
      ),
      `${emptyCount} more tables are empty, as they were.`,
      '',
      formatTable(
        ['step', 'result', ''],
        steps.map(({ step, isOk: ok, detail }) => [step, detail, mark(ok)]),
      ),
    ].join('\n'),
  )
  if (!isOk) throw new CommandFailure('What was restored is not what was backed up, or does not run. Do not rely on this backup.')
}

const mark = (ok: boolean) => (ok ? coloured('green', 'ok') : coloured('red', 'DIFFERENT'))
