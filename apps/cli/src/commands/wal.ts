import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { selectArchiverState } from '@roadworthy/platform/backup/base-backup.sql'
import { listOlderSegments, openBase } from '@roadworthy/platform/backup/read-base-backup'
import { connect } from '@roadworthy/platform/backup/snapshot.sql'
import type { Command } from 'commander'
import { type PassphraseGiven, passphraseOption, readPassphrase, targetOf, withOwnerUrl } from '../backup-options.ts'
import { type Context, examples, handle, RequiredOption, type Surroundings } from '../command.ts'
import { CommandFailure, exitCodes } from '../failure.ts'

type Prune = PassphraseGiven & { wal: string; keep: string }

export function addWal(program: Command, surroundings: Surroundings): void {
  const wal = program.command('wal').description('the archived log of the embedded PostgreSQL (for the operator of the instance)')
  wal
    .command('status')
    .description('whether the log is archived, up to when; exit code 1 when it is not, or the last attempt failed')
    .addHelpText('after', examples('npx roadworthy wal status', 'npx roadworthy wal status --json'))
    .action(handle(surroundings, status))
  wal
    .command('prune')
    .description('remove from an archive what comes before a base backup; older base backups are nothing from then on')
    .addOption(new RequiredOption('--wal <folder>', 'the archive'))
    .addOption(new RequiredOption('--keep <folder>', 'the oldest base backup that is to be restorable'))
    .addOption(passphraseOption())
    .addHelpText('after', examples('npx roadworthy wal prune --wal wal --keep backups/base --passphrase-file passphrase.txt'))
    .action(handle<Prune>(surroundings, prune))
}

async function status(context: Context): Promise<void> {
  const state = await withOwnerUrl(context, targetOf(context, {}), async (ownerUrl) => {
    const client = await connect(ownerUrl)
    return await selectArchiverState(client).finally(() => client.end())
  })
  const { isOn, folder, archivedCount, lastWal, lastAt, failedCount, lastFailedWal, lastFailedAt, waitingCount } = state
  const isFailing = lastFailedAt !== null && (lastAt === null || lastFailedAt > lastAt)
  const answer = {
    ...{
      archiving: isOn,
      folder,
      archived: archivedCount,
      last_wal: lastWal,
      last_archived_at: lastAt?.toISOString() ?? null,
      waiting: waitingCount,
    },
    ...{ failed: failedCount, last_failed_wal: lastFailedWal, last_failed_at: lastFailedAt?.toISOString() ?? null, failing: isFailing },
  }
  context.out.answer(answer, () =>
    isOn
      ? [
          `archive   ${folder}`,
          `archived  ${archivedCount} segments, the last ${lastWal ?? 'none yet'} at ${answer.last_archived_at ?? '-'}`,
          `waiting   ${waitingCount} segments`,
          `failed    ${failedCount} attempts${lastFailedWal === null ? '' : `, the last with ${lastFailedWal} at ${answer.last_failed_at}`}`,
        ].join('\n')
      : 'The log is not archived: WAL_ARCHIVE_DIR is not set.',
  )
  if (!isOn) throw new CommandFailure('Nothing is archived.')
  if (isFailing)
    throw new CommandFailure(
      `The last attempt to archive failed; server.log of PostgreSQL has the reason. Until it is mended the log grows on the disk of the database.`,
    )
}

async function prune(context: Context, options: Prune): Promise<void> {
  const { cwd, out } = context
  const passphrase = readPassphrase(context, options)
  if (passphrase === undefined)
    throw new CommandFailure('Give the passphrase of the base backup: --passphrase-file, or BACKUP_PASSPHRASE.', exitCodes.usage)
  const { manifest } = await openBase(resolve(cwd, options.keep), passphrase)
  const folder = resolve(cwd, options.wal)
  const segments = await listOlderSegments(folder, manifest)
  for (const name of segments) rmSync(join(folder, name))
  out.answer(
    { removed: segments.length, first_wal: manifest.startWal },
    () => `${segments.length} files removed; the archive begins at ${manifest.startWal}`,
  )
}
