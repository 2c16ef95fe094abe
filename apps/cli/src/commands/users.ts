import { resetLetter } from '@roadworthy/platform/people/password-links'
import { type Letter, linkTo } from '@roadworthy/platform/people/post'
import { createUser, inviteUser, listUsers } from '@roadworthy/platform/people/users'
import { selectAccountByEmailAcrossResellers, type User, type UserRole } from '@roadworthy/platform/people/users.sql'
import { requireReseller } from '@roadworthy/platform/resellers/resellers'
import { selectAllResellersAcrossResellers } from '@roadworthy/platform/resellers/resellers.sql'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { BASE62, randomText } from '@roadworthy/service-kit/text/ids'
import { type Command, Option } from 'commander'
import { type Context, examples, handle, RequiredOption, type Surroundings } from '../command.ts'
import { CommandFailure, exitCodes } from '../failure.ts'
import { operatorAuthor, withDatabase } from '../operator.ts'
import { formatTable } from '../output.ts'

type NewUserOptions = { reseller: string; email: string; role: UserRole; subClient?: string }

const PASSWORD_LENGTH = 20
const PEOPLE_PER_PAGE = 500
const ROLES: readonly UserRole[] = ['owner', 'member', 'viewer', 'sub_client_viewer']

export function addUsers(program: Command, surroundings: Surroundings): void {
  const users = program.command('users').description('people who sign in to the dashboard (for the operator of the instance)')
  const withPerson = (command: Command) =>
    command
      .addOption(new RequiredOption('--reseller <slug>', 'whose vehicles the person sees'))
      .addOption(new RequiredOption('--email <address>', 'what the person signs in with'))
      .addOption(
        new Option(
          '--role <role>',
          'owner: everything; member: all but keys, people and brands; viewer: look only; sub_client_viewer: look at one sub-client only',
        )
          .choices([...ROLES])
          .default('member'),
      )
      .option('--sub-client <id>', 'the one that a sub_client_viewer sees')
  withPerson(users.command('create').description('let a person sign in to the dashboard with a password that is made here'))
    .addHelpText('after', examples('npx roadworthy users create --reseller roadworthy --email anna@example.com --role viewer'))
    .action(handle<NewUserOptions>(surroundings, create))
  withPerson(users.command('invite').description('print a link by which a person sets a password of their own; good once, for 7 days'))
    .addHelpText('after', examples('npx roadworthy users invite --reseller roadworthy --email ben@example.com'))
    .action(handle<NewUserOptions>(surroundings, invite))
  users
    .command('list')
    .description('list the people of every reseller, or of one, oldest first')
    .option('--reseller <slug>', 'those of this one only')
    .addHelpText('after', examples('npx roadworthy users list', 'npx roadworthy users list --reseller roadworthy --json'))
    .action(handle<{ reseller?: string }>(surroundings, list))
  users
    .command('reset-password')
    .description('print a link by which a person sets a new password; good once, for an hour')
    .addOption(new RequiredOption('--email <address>', 'what the person signs in with'))
    .addHelpText('after', examples('npx roadworthy users reset-password --email owner@roadworthy.local'))
    .action(handle<{ email: string }>(surroundings, resetPassword))
}

/** The password is made here: one on a command line would stay in the history of the shell. */
async function create({ env, instance, now, out }: Context, { reseller, email, role, subClient }: NewUserOptions): Promise<void> {
  const password = randomText(PASSWORD_LENGTH, BASE62)
  const author = operatorAuthor(reseller, now())
  const pin = subClient === undefined ? {} : { subClientId: subClient }
  const user = await withDatabase(env, instance.dataDir, async (database) => {
    await requireReseller(database, reseller)
    return createUser(database, { resellerId: reseller, email, password, role, ...pin }, author.at, author)
  })
  out.answer({ user_id: user.userId, email: user.email, role, password }, () => `e-mail    ${user.email}\npassword  ${password}`)
  out.note('The password is shown this once.')
}

async function invite(context: Context, { reseller, email, role, subClient }: NewUserOptions): Promise<void> {
  const { env, instance, now } = context
  // Before anything is made: a link must lead somewhere.
  const baseUrl = instance.baseUrl()
  const { user, letter } = await withDatabase(env, instance.dataDir, async (database) => {
    await requireReseller(database, reseller)
    const viewer = { resellerId: reseller, subClientPin: undefined }
    return await inviteUser(database, viewer, { email, role, subClientId: subClient }, operatorAuthor(reseller, now()))
  })
  answerLink(context, baseUrl, letter, { user_id: user.userId, role })
}

async function resetPassword(context: Context, { email }: { email: string }): Promise<void> {
  const { env, instance, now } = context
  const baseUrl = instance.baseUrl()
  const letter = await withDatabase(env, instance.dataDir, async (database) => {
    const account = await selectAccountByEmailAcrossResellers(database.systemPool, email.trim().toLowerCase())
    if (account === undefined) throw new CommandFailure(`Nobody signs in with ${email}.`, exitCodes.notFound)
    if (account.isDeactivated) throw new CommandFailure(`${email} is deactivated; an owner can let the person in again.`)
    return await resetLetter(database, account, operatorAuthor(account.resellerId, now()))
  })
  answerLink(context, baseUrl, letter, {})
}

async function list({ env, instance, out }: Context, { reseller }: { reseller?: string }): Promise<void> {
  const people = await withDatabase(env, instance.dataDir, async (database) => {
    const resellerIds =
      reseller === undefined
        ? (await selectAllResellersAcrossResellers(database.systemPool)).map(({ resellerId }) => resellerId)
        : [(await requireReseller(database, reseller)).resellerId]
    const found: Person[] = []
    for (const resellerId of resellerIds) found.push(...(await allPeopleOf(database, resellerId)))
    return found
  })
  out.answer({ total: people.length, users: people.map(toJson) }, () => toTable(people))
}

type Person = User & { readonly resellerId: string }

async function allPeopleOf(database: Database, resellerId: string): Promise<Person[]> {
  const found: Person[] = []
  for (let after: string | undefined; ; ) {
    const page = { limit: PEOPLE_PER_PAGE, after }
    const { users, pagination } = await listUsers(database, { resellerId, subClientPin: undefined }, page)
    found.push(...users.map((user) => ({ ...user, resellerId })))
    if (!pagination.hasNextPage || pagination.endCursor === null) return found
    after = pagination.endCursor
  }
}

function toJson({ resellerId, userId, email, role, subClientId, status, createdAt }: Person) {
  const where = { reseller_slug: resellerId, sub_client_id: subClientId ?? null }
  return { user_id: userId, email, role, ...where, status, created_at: createdAt.toISOString() }
}

function toTable(people: readonly Person[]): string {
  const rows = people.map(({ email, resellerId, role, subClientId, status, createdAt }) => {
    return [email, resellerId, role, subClientId ?? '-', status, createdAt.toISOString()]
  })
  return formatTable(['E-MAIL', 'RESELLER', 'ROLE', 'SUB-CLIENT', 'STATUS', 'CREATED'], rows)
}

function answerLink({ out }: Context, baseUrl: string, letter: Letter, more: object): void {
  const url = linkTo(baseUrl, letter)
  out.answer({ ...more, email: letter.email, url, expires_at: letter.expiresAt.toISOString() }, () => url)
  out.note(`For ${letter.email}, until ${letter.expiresAt.toISOString()}. The link is shown this once, and works once.`)
}
