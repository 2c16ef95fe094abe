// What a reseller bills by: who issues, prices of the platform, rate plans of SIMs, terms of each sub-client, and the gateways through which it is paid.

import type { RatePlan } from '@roadworthy/contracts/sim-billing/billing-configuration'
import type { GatewayConnection } from '@roadworthy/contracts/sim-billing/gateway-connections'
import type { Command } from 'commander'
import { type Context, examples, handle, RequiredOption, type Surroundings } from '../command.ts'
import { addConnectionCommands } from '../connection-commands.ts'
import { CommandFailure, exitCodes } from '../failure.ts'
import { formatTable } from '../output.ts'
import { readDocument } from '../signed-document.ts'
import { callSimBilling, showOrPut } from '../sim-billing.ts'

type FileOptions = { file?: string }

export function addInvoiceConfiguration(invoices: Command, surroundings: Surroundings): void {
  invoices
    .command('settings')
    .description('show who issues invoices and how, or change it: issuer, currency, taxes, terms, reminders')
    .option('--file <file>', 'JSON as of PUT /billing-settings; what is left out stays')
    .addHelpText('after', examples('npx roadworthy invoices settings --file billing.json', 'npx roadworthy invoices settings'))
    .action(handle<FileOptions>(surroundings, (context, { file }) => showOrPut(context, '/billing-settings', file)))
  invoices
    .command('prices')
    .description('show the prices of the platform itself, or add a version')
    .option('--file <file>', 'JSON as of PUT /price-list')
    .addHelpText('after', examples('npx roadworthy invoices prices --file prices.json', 'npx roadworthy invoices prices'))
    .action(handle<FileOptions>(surroundings, (context, { file }) => showOrPut(context, '/price-list', file)))
  addPlans(invoices, surroundings)
  addCustomers(invoices, surroundings)
  addGateways(invoices, surroundings)
}

function addPlans(invoices: Command, surroundings: Surroundings): void {
  const plans = invoices.command('plans').description('rate plans, by which SIMs are billed')
  plans
    .command('list')
    .description('list the newest version of each')
    .addHelpText('after', examples('npx roadworthy invoices plans list'))
    .action(
      handle(surroundings, async (context) => {
        const answer = await callSimBilling(context, '/rate-plans')
        context.out.answer(answer, () => toTable(answer['rate_plans'] as RatePlan[]))
      }),
    )
  plans
    .command('set <plan>')
    .description('make a rate plan, or change it from a month on')
    .addOption(new RequiredOption('--file <file>', 'JSON as of PUT /rate-plans/{plan_id}; of a new one as of POST /rate-plans'))
    .addHelpText('after', examples('npx roadworthy invoices plans set m2m-50 --file m2m-50.json'))
    .action(handle<{ file: string }>(surroundings, (context, { file }, plan = '') => setPlan(context, plan, file)))
  plans
    .command('archive <plan>')
    .description('take a rate plan out of use; SIMs that have it are billed by it')
    .addHelpText('after', examples('npx roadworthy invoices plans archive m2m-50'))
    .action(
      handle(surroundings, async (context, _options, plan = '') => {
        const answer = await callSimBilling(context, `/rate-plans/${encodeURIComponent(plan)}`, { method: 'DELETE' })
        answerPlan(context, answer['rate_plan'] as RatePlan)
      }),
    )
}

async function setPlan(context: Context, plan: string, file: string): Promise<void> {
  const given = await readDocument(file)
  if (typeof given !== 'object' || given === null) throw new CommandFailure(`${file} is no JSON object.`, exitCodes.usage)
  const { plan_id: named = plan, ...body } = given as { plan_id?: unknown }
  if (named !== plan) throw new CommandFailure(`${file} is of another plan than ${plan}.`, exitCodes.usage)
  const known = (await callSimBilling(context, '/rate-plans'))['rate_plans'] as RatePlan[]
  const answer = known.some(({ plan_id }) => plan_id === plan)
    ? await callSimBilling(context, `/rate-plans/${encodeURIComponent(plan)}`, { method: 'PUT', body })
    : await callSimBilling(context, '/rate-plans', { method: 'POST', body: { ...body, plan_id: plan } })
  answerPlan(context, answer['rate_plan'] as RatePlan)
}

function answerPlan({ out }: Context, plan: RatePlan): void {
  out.answer(plan, () => toTable([plan]))
}

function toTable(plans: readonly RatePlan[]): string {
  const rows = plans.map(({ plan_id, version, name, operator_plan, effective_from, archived_at, prices }) => [
    ...[plan_id, String(version), name, operator_plan ?? '-', effective_from, prices.rental, prices.included_megabytes],
    ...[prices.overage_per_megabyte, archived_at === null ? 'in use' : 'archived'],
  ])
  return formatTable(['PLAN', 'VERSION', 'NAME', 'OPERATOR PLAN', 'FROM', 'RENTAL', 'MB', 'PER MB', 'STATE'], rows)
}

function addCustomers(invoices: Command, surroundings: Surroundings): void {
  const customers = invoices.command('customers').description('how a sub-client is billed: party, margin, taxes, prices of its own')
  const pathOf = (subClient: string) => `/customers/${encodeURIComponent(subClient)}`
  customers
    .command('show <sub-client>')
    .description('show it')
    .addHelpText('after', examples('npx roadworthy invoices customers show acme-logistics'))
    .action(handle(surroundings, (context, _options, subClient = '') => showOrPut(context, pathOf(subClient), undefined)))
  customers
    .command('set <sub-client>')
    .description('change it, for drafts that are made from now on')
    .addOption(new RequiredOption('--file <file>', 'JSON as of PUT /customers/{sub_client_id}; what is left out stays'))
    .addHelpText('after', examples('npx roadworthy invoices customers set acme-logistics --file acme-logistics.json'))
    .action(handle<FileOptions>(surroundings, (context, { file }, subClient = '') => showOrPut(context, pathOf(subClient), file)))
}

function addGateways(invoices: Command, surroundings: Surroundings): void {
  const gateways = invoices.command('gateways').description('payment gateways through which sub-clients pay')
  addConnectionCommands<GatewayConnection>(gateways, surroundings, {
    name: 'invoices gateways',
    path: '/gateway-connections',
    exampleId: 'gwc-3f8k1m6q9t2w5z8c1v4b',
    exampleAdd: '--file stripe.json --credential api_key=STRIPE_KEY --credential webhook_secret=STRIPE_WEBHOOK_SECRET',
    exampleChange: '--credential webhook_secret=STRIPE_WEBHOOK_SECRET',
    header: ['CONNECTION', 'GATEWAY', 'NAME', 'ENABLED', 'MODE', 'LAST EVENT', 'REFUSED'],
    rowOf: ({ connection_id, gateway, name, enabled, mode, last_event_at, refused_callbacks }) => [
      ...[connection_id, gateway, name, enabled ? 'yes' : 'no', mode, last_event_at ?? '-', String(refused_callbacks)],
    ],
    note: ({ callback_url }) => `Enter at the gateway as the address of its webhooks: ${callback_url}`,
  })
}
