import type { SimAction } from '@roadworthy/contracts/sim-billing/sim-actions'
import type { Sim } from '@roadworthy/contracts/sim-billing/sims'
import type { Command } from 'commander'
import { type Context, examples, handle, integerFrom, type Surroundings } from '../command.ts'
import { CommandFailure, exitCodes } from '../failure.ts'
import { formatTable } from '../output.ts'
import { callSimBilling } from '../sim-billing.ts'
import { addOperators, addSync } from './sim-operators.ts'

type ListOptions = { status?: string; subClient?: string; connection?: string; search?: string; limit?: number }
type ActionOptions = { reason?: string; test?: boolean; ratePlan?: string; days?: number; until?: string }
type AssignOptions = { device?: string; subClient?: string; plan?: string }

const MAX_DAYS = 365
const MOST_LISTED = 100_000
const PAGE_LIMIT = 500
/** On the command line, what stands for "nobody" and "none". */
const NOTHING = 'none'

export function addSims(program: Command, surroundings: Surroundings): void {
  const sims = program
    .command('sims')
    .description('SIMs at the platforms of mobile-network operators: connect, synchronise, list, act, assign')
  sims
    .command('list')
    .description('list SIMs, those known longest first')
    .option('--status <status>', 'only those in this state')
    .option('--sub-client <id>', 'only those of this sub-client')
    .option('--connection <id>', 'only those of this operator connection')
    .option('--search <digits>', 'digits that stand anywhere in ICCID, number or IMSI')
    .option('--limit <n>', 'most to list (default: 100)', integerFrom(1, MOST_LISTED))
    .addHelpText('after', examples('npx roadworthy sims list', 'npx roadworthy sims list --status active --json'))
    .action(handle<ListOptions>(surroundings, list))
  sims
    .command('show <sim>')
    .description('show one SIM, by its id, ICCID or number')
    .addHelpText('after', examples('npx roadworthy sims list', 'npx roadworthy sims show SIM'))
    .action(handle(surroundings, show))
  addActions(sims, surroundings)
  sims
    .command('assign <sim>')
    .description('put a SIM into a device, give it to a sub-client, or bill it by a rate plan')
    .option('--device <id>', `device id or IMEI; "${NOTHING}" takes it out`)
    .option('--sub-client <id>', `whose it is; "${NOTHING}": nobody's`)
    .option('--plan <id>', `rate plan it is billed by; "${NOTHING}": none`)
    .addHelpText(
      'after',
      examples('npx roadworthy sims assign SIM --sub-client acme-logistics', 'npx roadworthy sims assign SIM --device none'),
    )
    .action(handle<AssignOptions>(surroundings, assign))
  addSync(sims, surroundings)
  addOperators(sims, surroundings)
}

/** What the operator is asked for. The command ends when it is asked, not when it is done. */
function addActions(sims: Command, surroundings: Surroundings): void {
  const act = (path: string) =>
    handle<ActionOptions>(surroundings, async (context, { reason, test, ratePlan, days, until }, sim = '') => {
      const mode = test === true ? { mode: 'test' } : {}
      await ask(context, sim, path, { ...mode, reason, rate_plan: ratePlan, days, until })
    })
  const reasoned = (name: string, description: string) =>
    sims.command(`${name} <sim>`).description(description).option('--reason <text>', 'why; it stands in the history')
  reasoned('activate', 'activate a SIM, or resume one that is suspended, in safe custody or terminating')
    .option('--test', 'in the operator’s test mode')
    .option('--rate-plan <name>', 'the operator’s plan it is to have (default: the one it has)')
    .addHelpText('after', examples('npx roadworthy sims activate SIM', 'npx roadworthy sims activate SIM --rate-plan "M2M 10 MB"'))
    .action(act('activate'))
  reasoned('suspend', 'bar a SIM for now; its rental goes on')
    .addHelpText('after', examples('npx roadworthy sims suspend SIM --reason Stolen'))
    .action(act('suspend'))
  reasoned('safe-custody', 'park a SIM for some time at a lower fee')
    .option('--days <n>', 'for so long (default: as long as its connection allows)', integerFrom(1, MAX_DAYS))
    .option('--until <time>', 'until then, RFC 3339')
    .addHelpText('after', examples('npx roadworthy sims safe-custody SIM --days 60 --reason Winter'))
    .action(act('safe-custody'))
  reasoned('terminate', 'end a SIM; it can be taken back within the grace of its connection')
    .addHelpText('after', examples('npx roadworthy sims terminate SIM --reason "Vehicle sold"'))
    .action(act('terminate'))
}

async function list(context: Context, { status, subClient, connection, search, limit = 100 }: ListOptions): Promise<void> {
  const given = { status, sub_client_id: subClient, connection_id: connection, search }
  const sims: Sim[] = []
  let total = 0
  for (let after: string | null = ''; after !== null && sims.length < limit; ) {
    const query = new URLSearchParams({ limit: String(Math.min(PAGE_LIMIT, limit - sims.length)) })
    for (const [name, value] of Object.entries({ ...given, after })) if (value !== undefined && value !== '') query.set(name, value)
    const page = await callSimBilling(context, `/sims?${query}`)
    const { endCursor, hasNextPage } = page['pagination'] as { endCursor: string | null; hasNextPage: boolean }
    sims.push(...(page['sims'] as Sim[]))
    total = page['total'] as number
    after = hasNextPage ? endCursor : null
  }
  context.out.answer({ total, sims }, () =>
    formatTable(
      ['SIM', 'ICCID', 'NUMBER', 'STATUS', 'PENDING', 'SUB-CLIENT', 'DEVICE', 'MB'],
      sims.map((sim) => [
        ...[sim.id, sim.iccid, sim.msisdn ?? '', sim.status, sim.pending_action ?? '', sim.sub_client_id ?? '', sim.device_id ?? ''],
        String(sim.data_usage_mb),
      ]),
    ),
  )
}

async function show(context: Context, _options: object, sim = ''): Promise<void> {
  answerSim(context, (await callSimBilling(context, `/sims/${encodeURIComponent(sim)}`))['sim'] as Sim)
}

async function ask(context: Context, sim: string, path: string, body: object): Promise<void> {
  const answer = await callSimBilling(context, `/sims/${encodeURIComponent(sim)}/${path}`, { method: 'POST', body })
  const [shown, action] = [answer['sim'] as Sim, answer['action'] as SimAction | null]
  context.out.answer({ sim: shown, action }, () =>
    action === null
      ? `${shown.id} is ${shown.status} already`
      : `${shown.id} is ${shown.status}; the operator is asked to ${action.action} it (${action.action_id})`,
  )
}

async function assign(context: Context, { device, subClient, plan }: AssignOptions, sim = ''): Promise<void> {
  if (device === undefined && subClient === undefined && plan === undefined)
    throw new CommandFailure('Give at least one of --device, --sub-client and --plan.', exitCodes.usage)
  const orNull = (text: string | undefined) => (text === NOTHING ? null : text)
  const body = { device_id: orNull(device), sub_client_id: orNull(subClient), plan_id: orNull(plan) }
  const answer = await callSimBilling(context, `/sims/${encodeURIComponent(sim)}`, { method: 'PUT', body })
  answerSim(context, answer['sim'] as Sim)
}

function answerSim({ out }: Context, sim: Sim): void {
  out.answer({ sim }, () =>
    [
      ['SIM', sim.id],
      ['ICCID', sim.iccid],
      ['Number', sim.msisdn ?? '-'],
      [
        'Status',
        `${sim.status}${sim.pending_action === null ? '' : `, ${sim.pending_action} pending`} (operator: ${sim.operator_status ?? '-'})`,
      ],
      ['Can become', sim.possible.join(', ') || '-'],
      ['Sub-client', sim.sub_client_id ?? '-'],
      ['Device', sim.device_id ?? '-'],
      ['Plan', `${sim.plan_id ?? '-'} (operator: ${sim.rate_plan ?? '-'})`],
      ['Used', `${sim.data_usage_mb} MB${sim.data_limit_mb === null ? '' : ` of ${sim.data_limit_mb} MB`}`],
    ]
      .map(([name = '', value = '']) => `${name.padEnd(11)}${value}`)
      .join('\n'),
  )
}
