import { createKey, listKeys, MAX_PER_DAY, MAX_PER_MINUTE, revokeKeyAcrossResellers } from '@roadworthy/platform/keys/keys'
import type { ApiKey } from '@roadworthy/platform/keys/keys.sql'
import { fullAccessScopes, scopes } from '@roadworthy/platform/keys/scopes'
import { requireReseller } from '@roadworthy/platform/resellers/resellers'
import { selectAllResellersAcrossResellers } from '@roadworthy/platform/resellers/resellers.sql'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { parseRfc3339 } from '@roadworthy/service-kit/time/rfc3339'
import { type Command, InvalidArgumentError } from 'commander'
import { type Context, examples, handle, integerFrom, listOf, RequiredOption, type Surroundings } from '../command.ts'
import { operatorAuthor, withDatabase } from '../operator.ts'
import { formatTable } from '../output.ts'

type NewKeyOptions = {
  reseller: string
  name: string
  scopes: string[]
  perMinute?: number
  perDay?: number
  subClient?: string
  expires?: Date
}

const PAGE_LIMIT = 500
/** Half a million keys of one reseller: a cursor that leads round in circles ends here. */
const MAX_PAGES = 1_000

export function addKeys(program: Command, surroundings: Surroundings): void {
  const keys = program.command('keys').description('API keys of any reseller (for the operator of the instance)')
  keys
    .command('create')
    .description('make an API key')
    .addOption(new RequiredOption('--reseller <slug>', 'whose key it is'))
    .addOption(new RequiredOption('--name <name>', 'what it is for'))
    .addOption(
      new RequiredOption(
        '--scopes <list>',
        `what it may do, separated by commas: ${[...scopes, ...fullAccessScopes].join(', ')}`,
      ).argParser(listOf),
    )
    .option('--per-minute <n>', "calls in any 60 s, 0 for unlimited (default: the plan's)", integerFrom(0, MAX_PER_MINUTE))
    .option('--per-day <n>', "calls a UTC day, 0 for unlimited (default: the plan's)", integerFrom(0, MAX_PER_DAY))
    .option('--sub-client <id>', 'sees and touches this sub-client only')
    .option('--expires <time>', 'until when it is good, RFC 3339', expiry)
    .addHelpText(
      'after',
      examples(
        'npx roadworthy keys create --reseller roadworthy --name "Dashboard" --scopes vehicles:read,predict',
        "npx roadworthy keys create --reseller roadworthy --name Import --scopes '*' --per-minute 0 --per-day 0 --json",
      ),
    )
    .action(handle<NewKeyOptions>(surroundings, create))
  keys
    .command('list')
    .description('list keys with their scopes and use, never their text')
    .option('--reseller <slug>', 'only of this one')
    .addHelpText('after', examples('npx roadworthy keys list', 'npx roadworthy keys list --reseller roadworthy --json'))
    .action(handle<{ reseller?: string }>(surroundings, list))
  keys
    .command('revoke <key-id>')
    .description('end a key for good; the running service refuses it within a second')
    .addHelpText('after', examples('npx roadworthy keys list', 'npx roadworthy keys revoke KEY_ID'))
    .action(handle(surroundings, revoke))
}

async function create({ env, instance, now, out }: Context, options: NewKeyOptions): Promise<void> {
  const given = { ...options, subClientId: options.subClient, expiresAt: options.expires }
  const { apiKey, key } = await withDatabase(env, instance.dataDir, async (database) => {
    await requireReseller(database, options.reseller)
    return createKey(database, options.reseller, given, now(), operatorAuthor(options.reseller, now()))
  })
  out.answer({ key_id: key.keyId, api_key: apiKey }, () => `key id   ${key.keyId}\nAPI key  ${apiKey}`)
  out.note('The key is shown this once.')
}

async function list({ env, instance, now, out }: Context, { reseller }: { reseller?: string }): Promise<void> {
  const keys = await withDatabase(env, instance.dataDir, async (database) => {
    const owners = reseller === undefined ? await allResellers(database) : [(await requireReseller(database, reseller)).resellerId]
    const lists = []
    for (const resellerId of owners) for (const key of await keysOf(database, resellerId)) lists.push({ ...key, resellerId })
    return lists
  })
  out.answer({ total: keys.length, keys: keys.map(toJson) }, () =>
    formatTable(
      ['KEY ID', 'RESELLER', 'SUB-CLIENT', 'NAME', 'ENDS IN', 'STATUS', 'LAST USED', 'SCOPES'],
      keys.map((key) => [
        key.keyId,
        key.resellerId,
        key.subClientId ?? '-',
        key.name,
        key.last4,
        statusOf(key, now()),
        key.lastUsedAt?.toISOString() ?? 'never',
        key.scopes.join(','),
      ]),
    ),
  )
}

async function revoke({ env, instance, now, out }: Context, _options: object, keyId = ''): Promise<void> {
  const key = await withDatabase(env, instance.dataDir, (database) => revokeKeyAcrossResellers(database, keyId, now(), operatorAuthor))
  const revokedAt = (key.revokedAt ?? now()).toISOString()
  out.answer({ key_id: key.keyId, revoked_at: revokedAt }, () => `${key.keyId} is revoked since ${revokedAt}`)
}

async function allResellers(database: Database): Promise<string[]> {
  return (await selectAllResellersAcrossResellers(database.systemPool)).map(({ resellerId }) => resellerId)
}

async function keysOf(database: Database, resellerId: string): Promise<ApiKey[]> {
  const keys: ApiKey[] = []
  let after: string | undefined
  for (let page = 0; page < MAX_PAGES; page++) {
    const found = await listKeys(database, resellerId, { limit: PAGE_LIMIT, after })
    keys.push(...found.keys)
    if (!found.pagination.hasNextPage) break
    after = found.pagination.endCursor ?? undefined
  }
  return keys
}

function toJson(key: ApiKey & { resellerId: string }) {
  return {
    key_id: key.keyId,
    reseller_slug: key.resellerId,
    name: key.name,
    prefix: key.prefix,
    last4: key.last4,
    scopes: key.scopes,
    sub_client_id: key.subClientId ?? null,
    per_minute: key.perMinute ?? null,
    per_day: key.perDay ?? null,
    expires_at: key.expiresAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    created_at: key.createdAt.toISOString(),
  }
}

function statusOf({ revokedAt, expiresAt }: ApiKey, now: Date): string {
  if (revokedAt !== undefined) return 'revoked'
  return expiresAt !== undefined && expiresAt <= now ? 'expired' : 'active'
}

function expiry(text: string): Date {
  const ms = parseRfc3339(text)
  if (ms === undefined) throw new InvalidArgumentError('A time with an offset is wanted, such as 2027-01-31T00:00:00Z.')
  return new Date(ms)
}
