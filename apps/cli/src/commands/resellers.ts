import { createKey } from '@roadworthy/platform/keys/keys'
import { planNames, subscriptions } from '@roadworthy/platform/limits/plans'
import {
  createReseller,
  MAX_DEVICE_VEHICLE_LIMIT,
  MAX_MAINTENANCE_LEAD_DAYS,
  updateReseller,
} from '@roadworthy/platform/resellers/resellers'
import { type Reseller, selectAllResellersAcrossResellers } from '@roadworthy/platform/resellers/resellers.sql'
import { type Command, Option } from 'commander'
import { type Context, examples, handle, RequiredOption, type Surroundings } from '../command.ts'
import { CommandFailure, exitCodes } from '../failure.ts'
import { operatorAuthor, withDatabase } from '../operator.ts'
import { formatTable } from '../output.ts'

type NewReseller = { slug: string; name: string; plan?: string; subscription?: string; timeZone?: string }
type ResellerChanges = Partial<Record<'name' | 'plan' | 'subscription' | 'timeZone' | 'deviceVehicles' | 'maintenanceLeadDays', string>>

export function addResellers(program: Command, surroundings: Surroundings): void {
  const resellers = program.command('resellers').description('resellers, their plan and their standing (for the operator of the instance)')
  const plan = () => new Option('--plan <plan>', 'what it may use').choices([...planNames])
  const subscription = () => new Option('--subscription <standing>', 'whether it pays').choices([...subscriptions])
  const timeZone = () => new Option('--time-zone <name>', 'IANA name of the zone it is billed in (of a new one: Asia/Kolkata)')
  resellers
    .command('create')
    .description('make a reseller, and a first API key with every scope and no limit')
    .addOption(new RequiredOption('--slug <slug>', 'its id, in MQTT topics too; 1 to 64 of a-z, 0-9 and -; never changes'))
    .addOption(new RequiredOption('--name <name>', 'its name for people'))
    .addOption(plan())
    .addOption(subscription())
    .addOption(timeZone())
    .addHelpText('after', examples('npx roadworthy resellers create --slug north-fleet --name "North Fleet" --json'))
    .action(handle<NewReseller>(surroundings, create))
  resellers
    .command('update <slug>')
    .description('change what is given; the running service acts on it within a second, on time zone and --device-vehicles within 15')
    .option('--name <name>', 'its name for people')
    .addOption(plan())
    .addOption(subscription())
    .addOption(timeZone())
    .option(
      '--device-vehicles <count>',
      `how many vehicles its devices may create by naming them in a reading, 0 to ${MAX_DEVICE_VEHICLE_LIMIT} (of a new one: 0, none)`,
    )
    .option(
      '--maintenance-lead-days <days>',
      `how many days before the early end of a remaining life work on it is advised, 0 to ${MAX_MAINTENANCE_LEAD_DAYS} (of a new one: 7)`,
    )
    .addHelpText(
      'after',
      examples(
        'npx roadworthy resellers update roadworthy --plan enterprise --subscription active',
        'npx roadworthy resellers update roadworthy --time-zone Europe/Berlin',
        'npx roadworthy resellers update roadworthy --device-vehicles 500',
        'npx roadworthy resellers update roadworthy --maintenance-lead-days 14',
      ),
    )
    .action(handle<ResellerChanges>(surroundings, update))
  resellers
    .command('list')
    .description('list the resellers, oldest first')
    .addHelpText('after', examples('npx roadworthy resellers list', 'npx roadworthy resellers list --json'))
    .action(handle(surroundings, list))
}

async function create({ env, instance, now, out }: Context, given: NewReseller): Promise<void> {
  const { reseller, apiKey } = await withDatabase(env, instance.dataDir, async (database) => {
    const author = operatorAuthor(given.slug, now())
    const made = await createReseller(database, given, author.at, author)
    const key = { name: 'first key', scopes: ['*'], perMinute: 0, perDay: 0 }
    return { reseller: made, ...(await createKey(database, made.resellerId, key, author.at, author)) }
  })
  out.answer({ reseller_slug: reseller.resellerId, api_key: apiKey }, () => `reseller  ${reseller.resellerId}\nAPI key   ${apiKey}`)
  out.note('The key is shown this once. It has every scope and no limit; "npx roadworthy keys create" makes lesser ones.')
}

async function update({ env, instance, now, out }: Context, given: ResellerChanges, slug = ''): Promise<void> {
  if (Object.keys(given).length === 0)
    throw new CommandFailure(
      'Nothing to change. Give --name, --plan, --subscription, --time-zone, --device-vehicles or --maintenance-lead-days.',
      exitCodes.usage,
    )
  const { deviceVehicles, maintenanceLeadDays, ...rest } = given
  const changes = {
    ...rest,
    ...(deviceVehicles === undefined ? {} : { deviceVehicleLimit: wholeNumber(deviceVehicles) }),
    ...(maintenanceLeadDays === undefined ? {} : { maintenanceLeadDays: wholeNumber(maintenanceLeadDays) }),
  }
  const reseller = await withDatabase(env, instance.dataDir, (database) =>
    updateReseller(database, slug, changes, operatorAuthor(slug, now())),
  )
  out.answer(toJson(reseller), () => toTable([reseller]))
}

async function list({ env, instance, out }: Context): Promise<void> {
  const resellers = await withDatabase(env, instance.dataDir, (database) => selectAllResellersAcrossResellers(database.systemPool))
  out.answer({ total: resellers.length, resellers: resellers.map(toJson) }, () => toTable(resellers))
}

/** What is no number is judged, and refused, with those out of range. */
function wholeNumber(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
}

function toJson({ resellerId, name, plan, subscription, timeZone, deviceVehicleLimit, maintenanceLeadDays, createdAt }: Reseller) {
  return {
    reseller_slug: resellerId,
    name,
    plan,
    subscription,
    time_zone: timeZone,
    device_vehicles: deviceVehicleLimit,
    maintenance_lead_days: maintenanceLeadDays,
    created_at: createdAt.toISOString(),
  }
}

function toTable(resellers: readonly Reseller[]): string {
  const rows = resellers.map(({ resellerId, name, plan, subscription, timeZone, deviceVehicleLimit, createdAt }) => [
    resellerId,
    name,
    plan,
    subscription,
    timeZone,
    String(deviceVehicleLimit),
    createdAt.toISOString(),
  ])
  return formatTable(['SLUG', 'NAME', 'PLAN', 'SUBSCRIPTION', 'TIME ZONE', 'DEVICE VEHICLES', 'CREATED'], rows)
}
