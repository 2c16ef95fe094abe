// Settings of a first start that begins from a backup, and of the archive of the embedded PostgreSQL's log.

import { resolve } from 'node:path'
import type { WalArchive } from '@roadworthy/service-kit/postgres/wal-archive'
import type { SettingProblem } from '@roadworthy/service-kit/process/settings'
import { Type } from 'typebox'

/** Part of the platform's settings. */
export const backupSettings = {
  restoreFrom: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'Folder of a backup that a first start restores before anything else. Ignored, with a line in the log, where there is an instance already.',
      defaultText: 'none; a first start makes a new instance',
      example: '/srv/backups/20260101T030000Z',
    }),
  ),
  restorePassphrase: Type.Optional(
    Type.String({
      minLength: 1,
      secret: true,
      description: 'The passphrase that this backup was made with.',
      defaultText: 'none; SECRET_KEY is then needed',
      example: '(the passphrase)',
    }),
  ),
  walArchiveDir: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'Folder that the embedded PostgreSQL archives its log in, segment by segment, for restores to any moment (docs/guides/backup.md). Best on another disk or machine.',
      defaultText: 'none; the log is not archived',
      example: '/mnt/archive/roadworthy-wal',
    }),
  ),
  walArchiveTimeoutS: Type.Integer({
    minimum: 1,
    maximum: 86_400,
    default: 60,
    description: 'A segment of the log (16 MB) that is not full is archived after so many seconds: what may be lost with the machine.',
  }),
}

type ArchiveSettings = { readonly walArchiveDir?: string | undefined; readonly walArchiveTimeoutS: number }

export function walArchiveOf({ walArchiveDir, walArchiveTimeoutS }: ArchiveSettings): WalArchive | undefined {
  return walArchiveDir === undefined ? undefined : { folder: resolve(walArchiveDir), timeoutS: walArchiveTimeoutS }
}

export function findArchiveContradictions({ walArchiveDir }: ArchiveSettings, isEmbedded: boolean): SettingProblem[] {
  if (walArchiveDir === undefined || isEmbedded) return []
  const fix =
    'DATABASE_URL is set, and the log of a PostgreSQL of your own is archived by its settings (archive_command, or a tool such as pgBackRest). Leave this out.'
  return [{ name: 'WAL_ARCHIVE_DIR', value: walArchiveDir, source: 'settings', fix }]
}
