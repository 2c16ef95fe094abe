import { resolve } from 'node:path'
import { MIGRATIONS } from '@roadworthy/platform/main/database/prepare-database'
import { resolveSecretKey } from '@roadworthy/platform/main/secret-key'
import { migrate } from '@roadworthy/service-kit/postgres/migrate'
import { type Command, Option } from 'commander'
import { type At, databaseUrlOption, secretKeyOf, targetOf, withOwnerUrl } from '../backup-options.ts'
import { checkUpgrade, describeEffect, type UpgradeCheck } from '../check-upgrade.ts'
import { type Context, examples, handle, integerFrom, type Surroundings } from '../command.ts'
import { counted } from '../counted.ts'
import { CommandFailure } from '../failure.ts'
import { namesOf, toLines } from '../finding.ts'
import { stopOnSignals } from '../stop-signals.ts'

type Options = At & { check?: boolean; backup?: string; backupWithin: number; withoutBackup?: boolean }

/** A nightly backup, and an hour for it. */
const DEFAULT_WITHIN_H = 25
const MAX_WITHIN_H = 24 * 365

export function addUpgrade(program: Command, surroundings: Surroundings): void {
  program
    .command('upgrade')
    .description("bring the database to this release's schema, as a start of the service does; with --check only look at what that means")
    .option('--check', 'change nothing; exit code 1 when something is in the way')
    .addOption(databaseUrlOption())
    .option('--backup <folder>', 'a backup of this database that was made from another machine')
    .addOption(
      new Option('--backup-within <hours>', 'how old the newest backup may be')
        .argParser(integerFrom(1, MAX_WITHIN_H))
        .default(DEFAULT_WITHIN_H),
    )
    .option('--without-backup', 'ask for none: it is made by other means, or nothing here is to be kept')
    .addHelpText('after', examples('npx roadworthy upgrade --check', 'npx roadworthy upgrade --without-backup --json'))
    .action(handle<Options>(surroundings, upgrade))
}

async function upgrade(context: Context, options: Options): Promise<void> {
  const target = targetOf(context, options)
  const signal = stopOnSignals()
  const { instance, now, out, cwd } = context
  const backup = options.backup === undefined ? undefined : resolve(cwd, options.backup)
  await withOwnerUrl(context, target, async (ownerUrl) => {
    const check = await checkUpgrade(
      { ownerUrl, dataDir: instance.dataDir, now: now(), signal },
      { backup, backupWithinH: options.backupWithin, isWithoutBackup: options.withoutBackup === true },
    )
    const inTheWay = namesOf(check.findings, 'wrong')
    const isReady = inTheWay.length === 0
    const isDone = isReady && options.check !== true
    // From here on a signal ends it between two migrations at the earliest: PostgreSQL undoes the one under way.
    signal.throwIfAborted()
    const applied = isDone ? await apply(context, ownerUrl, secretKeyOf(context, target)) : []
    const { pending, findings } = check
    out.answer({ ok: isReady, checked_only: options.check === true, pending, applied, findings }, () => describe(check, applied, isDone))
    if (!isReady) throw new CommandFailure(`In the way of the upgrade: ${inTheWay.join(', ')}. Nothing was changed.`)
  })
}

/** Under the same lock as a start, so that it waits for one that is under way, and finds nothing left to do. */
async function apply({ instance }: Context, ownerUrl: string, secretKey: string | undefined): Promise<readonly string[]> {
  const key = secretKey ?? resolveSecretKey(instance.dataDir, undefined)
  const { applied } = await migrate(ownerUrl, { directory: MIGRATIONS, secretKey: key })
  return applied
}

function describe({ pending, findings }: UpgradeCheck, applied: readonly string[], isDone: boolean): string {
  const steps = pending.map(({ migration, breaking, effects }) => {
    const touched = effects.map((effect) => `\n    ${effect.table}: ${describeEffect(effect)}`).join('')
    return `  ${migration}${breaking ? ' (breaking: no process of the version before may run)' : ''}${touched}`
  })
  return [
    ...findings.map(toLines),
    ...(steps.length > 0 ? ['', 'Migrations:', ...steps] : []),
    ...(isDone ? ['', applied.length === 0 ? 'Nothing was left to do.' : `${counted(applied.length, 'migration')} applied.`] : []),
  ].join('\n')
}
