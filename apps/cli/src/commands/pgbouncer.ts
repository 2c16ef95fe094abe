import { resolve } from 'node:path'
import { APP_ROLE, rolePassword, SYSTEM_ROLE } from '@roadworthy/service-kit/postgres/db'
import type { Command } from 'commander'
import { type Context, examples, handle, RequiredOption, type Surroundings } from '../command.ts'
import { requireSecretKey } from '../operator.ts'
import { replaceFile } from '../replace-file.ts'

export function addPgbouncer(program: Command, surroundings: Surroundings): void {
  const pgbouncer = program.command('pgbouncer').description('files for a PgBouncer of your own (for the operator of the instance)')
  pgbouncer
    .command('users')
    .description("write PgBouncer's auth_file with the two roles that the service connects as; their passwords follow from SECRET_KEY")
    .addOption(new RequiredOption('--out <file>', 'auth_file; replaced as a whole, readable by its owner only'))
    .addHelpText('after', examples('npx roadworthy pgbouncer users --out userlist.txt'))
    .action(handle<{ out: string }>(surroundings, writeUsers))
}

async function writeUsers({ env, cwd, instance, out }: Context, options: { out: string }): Promise<void> {
  const secretKey = requireSecretKey(env, instance.dataDir)
  const path = resolve(cwd, options.out)
  const roles = [APP_ROLE, SYSTEM_ROLE]
  // A password is base64url, which needs no escape.
  replaceFile(path, roles.map((role) => `"${role}" "${rolePassword(role, secretKey)}"\n`).join(''))
  out.answer({ file: path, users: roles }, () => `${path}: ${roles.join(', ')}`)
}
