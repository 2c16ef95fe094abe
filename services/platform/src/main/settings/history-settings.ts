// Settings of the history: for how long readings stay in PostgreSQL, and where they go then.

import { join } from 'node:path'
import type { SettingProblem } from '@roadworthy/service-kit/process/settings'
import { type Static, type TObject, Type } from 'typebox'
import type { HistoryPlace } from '../../history/history-place.ts'

const MIB = 1024 * 1024

/** Part of the platform's settings. */
export const historySettings = {
  readingsHotDays: Type.Integer({
    minimum: 2,
    maximum: 36_500,
    default: 35,
    description:
      'Readings older than this are moved from PostgreSQL into compressed files, a week of them at a time. At least a day more than READINGS_MAX_AGE_DAYS, whatever is set: what is in files takes nothing more in.',
  }),
  historyDir: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'Folder of those files. All processes of an installation need the same one.',
      defaultText: 'DATA_DIR/history with the embedded PostgreSQL; none with DATABASE_URL, and readings stay in PostgreSQL',
      example: '/srv/roadworthy/history',
    }),
  ),
  historyS3Bucket: Type.Optional(
    Type.String({
      pattern: '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$',
      description: 'Bucket of an S3-compatible store for those files, in place of HISTORY_DIR.',
      defaultText: 'none',
      example: 'roadworthy-history',
    }),
  ),
  historyS3Url: Type.Optional(
    Type.String({
      pattern: '^https?://[^/]+',
      description: 'Address of that store.',
      defaultText: 'that of AWS for HISTORY_S3_REGION',
      example: 'https://s3.example.com',
    }),
  ),
  historyS3Region: Type.String({ minLength: 1, maxLength: 64, default: 'us-east-1', description: 'Region of that bucket.' }),
  historyS3AccessKeyId: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'Access key of that store. Needed with HISTORY_S3_SECRET_ACCESS_KEY.',
      defaultText: 'what the AWS client finds: variables, a role of the machine',
      example: 'roadworthy',
    }),
  ),
  historyS3SecretAccessKey: Type.Optional(
    Type.String({
      minLength: 1,
      secret: true,
      description: 'The secret of that access key.',
      defaultText: 'as HISTORY_S3_ACCESS_KEY_ID',
      example: '(the secret)',
    }),
  ),
  historyCacheMb: Type.Integer({
    minimum: 16,
    default: 2_048,
    description: 'Files of the bucket that are kept in DATA_DIR/history-cache because they were read lately, in MiB.',
  }),
}

type Settings = Omit<Static<TObject<typeof historySettings>>, 'historyS3SecretAccessKey'> & {
  readonly dataDir: string
  readonly readingsMaxAgeDays: number
}

/** Undefined: readings stay in PostgreSQL. */
export function historyPlaceOf(settings: Settings, secretAccessKey: string | undefined, isEmbedded: boolean): HistoryPlace | undefined {
  const { historyS3Bucket: name, historyS3AccessKeyId: accessKeyId, historyDir, dataDir } = settings
  if (name !== undefined) {
    const credentials = accessKeyId === undefined || secretAccessKey === undefined ? undefined : { accessKeyId, secretAccessKey }
    return {
      kind: 'bucket',
      bucket: { name, url: settings.historyS3Url, region: settings.historyS3Region, credentials },
      folder: join(dataDir, 'history-cache'),
      maxCacheBytes: settings.historyCacheMb * MIB,
    }
  }
  const folder = historyDir ?? (isEmbedded ? join(dataDir, 'history') : undefined)
  return folder === undefined ? undefined : { kind: 'folder', folder }
}

/** What is still accepted is not sealed, whatever the setting is. */
export function hotDaysOf({ readingsHotDays, readingsMaxAgeDays }: Pick<Settings, 'readingsHotDays' | 'readingsMaxAgeDays'>): number {
  return Math.max(readingsHotDays, readingsMaxAgeDays + 1)
}

export function findHistoryContradictions(
  settings: Settings & { readonly readingsRetentionDays: number },
  hasSecret: boolean,
): SettingProblem[] {
  const problems: SettingProblem[] = []
  const problem = (name: string, value: string | undefined, fix: string) => problems.push({ name, value, source: 'settings', fix })
  const { historyDir, historyS3Bucket, historyS3AccessKeyId, readingsRetentionDays, readingsMaxAgeDays } = settings
  if (readingsRetentionDays < readingsMaxAgeDays) {
    const fix = `it must not be less than READINGS_MAX_AGE_DAYS (${readingsMaxAgeDays}), or readings are removed as they arrive.`
    problem('READINGS_RETENTION_DAYS', String(readingsRetentionDays), fix)
  }
  if (historyDir !== undefined && historyS3Bucket !== undefined) {
    problem('HISTORY_DIR', historyDir, 'HISTORY_S3_BUCKET is set as well; files are in one place. Set one of them.')
  }
  if ((historyS3AccessKeyId !== undefined) !== hasSecret) {
    const names = ['HISTORY_S3_ACCESS_KEY_ID', 'HISTORY_S3_SECRET_ACCESS_KEY'] as const
    const [name, other] = hasSecret ? names : names.toReversed()
    problem(name ?? '', undefined, `${other} is set: an access key is an id and a secret; set both or neither.`)
  }
  return problems
}
