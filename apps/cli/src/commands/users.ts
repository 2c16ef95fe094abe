import { randomBytes } from 'node:crypto'
import { requireReseller } from '@roadworthy/platform/access/resellers'
import { createUser } from '@roadworthy/platform/access/users'
import { type Command, Option } from 'commander'
import { type Context, examples, handle, RequiredOption, type Surroundings } from '../command.ts'
import { withDatabase } from '../operator.ts'

type NewUserOptions = { reseller: string; email: string; role: 'owner' | 'member' | 'viewer' }

const PASSWORD_BYTES = 15

export function addUsers(program: Command, surroundings: Surroundings): void {
  const users = program.command('users').description('people who sign in to the dashboard (for the operator of the instance)')
  users
    .command('create')
    .description('let a person sign in to the dashboard')
    .addOption(new RequiredOption('--reseller <slug>', 'whose vehicles the person sees'))
    .addOption(new RequiredOption('--email <address>', 'what the person signs in with'))
    .addOption(
      new Option('--role <role>', 'owner: everything; member: all but keys; viewer: look only')
        .choices(['owner', 'member', 'viewer'])
        .default('member'),
    )
    .addHelpText('after', examples('npx roadworthy users create --reseller roadworthy --email anna@example.com --role viewer'))
    .action(handle<NewUserOptions>(surroundings, create))
}

/** The password is made here: one on a command line would stay in the history of the shell. */
async function create({ env, instance, now, out }: Context, { reseller, email, role }: NewUserOptions): Promise<void> {
  const password = randomBytes(PASSWORD_BYTES).toString('base64url')
  const user = await withDatabase(env, instance.dataDir, async (database) => {
    await requireReseller(database, reseller)
    return createUser(database, { resellerId: reseller, email, password, role }, now())
  })
  out.answer({ user_id: user.userId, email: user.email, role, password }, () => `e-mail    ${user.email}\npassword  ${password}`)
  out.note('The password is shown this once.')
}
