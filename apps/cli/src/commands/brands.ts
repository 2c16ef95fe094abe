import { type HostClaim, selectAllClaimsAcrossResellers } from '@roadworthy/platform/brands/host-claims.sql'
import { challengeName } from '@roadworthy/platform/brands/prove-hosts'
import { confirmHost, withdrawHost } from '@roadworthy/platform/brands/settle-host'
import type { Command } from 'commander'
import { type Context, examples, handle, RequiredOption, type Surroundings } from '../command.ts'
import { operatorAuthor, withDatabase } from '../operator.ts'
import { formatTable } from '../output.ts'

type OfReseller = { reseller: string }

export function addBrands(program: Command, surroundings: Surroundings): void {
  const brands = program.command('brands').description('host names that resellers show their brands at (for the operator of the instance)')
  const ofReseller = () => new RequiredOption('--reseller <slug>', 'whose brand lists the host name')
  brands
    .command('hosts')
    .description('list the host names, whether they are proved, and the DNS record that proves each')
    .addHelpText('after', examples('npx roadworthy brands hosts'))
    .action(handle(surroundings, list))
  brands
    .command('confirm <host>')
    .description('use a host name without its DNS record, until it is withdrawn; another reseller that used it loses it')
    .addOption(ofReseller())
    .addHelpText('after', examples('npx roadworthy brands confirm fleet.acme.example --reseller acme'))
    .action(handle<OfReseller>(surroundings, confirm))
  brands
    .command('withdraw <host>')
    .description('take back what was confirmed or proved; the DNS record proves it anew (RESERVED_HOSTS keeps a name for good)')
    .addOption(ofReseller())
    .addHelpText('after', examples('npx roadworthy brands withdraw fleet.acme.example --reseller acme'))
    .action(handle<OfReseller>(surroundings, withdraw))
}

async function list({ env, instance, out }: Context): Promise<void> {
  const claims = await withDatabase(env, instance.dataDir, (database) => selectAllClaimsAcrossResellers(database.systemPool))
  out.answer({ total: claims.length, hosts: claims.map(toJson) }, () => toTable(claims))
}

async function confirm({ env, instance, now, out }: Context, { reseller }: OfReseller, host = ''): Promise<void> {
  const author = operatorAuthor(reseller, now())
  const loser = await withDatabase(env, instance.dataDir, (database) => confirmHost(database, reseller, host, author))
  const lost = loser === undefined ? '' : ` ${loser} used it until now.`
  out.answer({ host, reseller_slug: reseller, taken_from: loser ?? null }, () => `${host} shows the brand of ${reseller}.${lost}`)
  out.note('The running service acts on it within ten seconds.')
}

async function withdraw({ env, instance, now, out }: Context, { reseller }: OfReseller, host = ''): Promise<void> {
  const author = operatorAuthor(reseller, now())
  await withDatabase(env, instance.dataDir, (database) => withdrawHost(database, reseller, host, author))
  out.answer({ host, reseller_slug: reseller }, () => `${host} shows the brand of ${reseller} only after it is proved again.`)
}

function toJson({ resellerId, subClientId, host, token, provedAt, isConfirmedByHand, problem }: HostClaim) {
  return {
    host,
    reseller_slug: resellerId,
    sub_client_id: subClientId === '' ? null : subClientId,
    status: provedAt === undefined ? 'pending' : 'proved',
    proved_by: provedAt === undefined ? null : isConfirmedByHand ? 'operator' : 'dns',
    record: { type: 'TXT', name: challengeName(host), value: token },
    problem: problem ?? null,
  }
}

function toTable(claims: readonly HostClaim[]): string {
  const rows = claims.map((claim) => {
    const { host, reseller_slug, sub_client_id, status, proved_by, record } = toJson(claim)
    return [host, reseller_slug, sub_client_id ?? '-', status, proved_by ?? '-', `${record.name} TXT ${record.value}`]
  })
  return formatTable(['HOST', 'RESELLER', 'SUB-CLIENT', 'STATUS', 'BY', 'RECORD'], rows)
}
