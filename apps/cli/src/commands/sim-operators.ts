// A reseller's connections to operators' platforms, and the synchronisation with them.

import { setTimeout as sleep } from 'node:timers/promises'
import type { OperatorConnection } from '@roadworthy/contracts/sim-billing/operator-connections'
import { type Sync, syncScopes } from '@roadworthy/contracts/sim-billing/sync'
import { type Command, Option } from 'commander'
import { type Context, examples, handle, type Surroundings } from '../command.ts'
import { addConnectionCommands } from '../connection-commands.ts'
import { CommandFailure } from '../failure.ts'
import { callSimBilling } from '../sim-billing.ts'

type SyncOptions = { full?: boolean; wait?: boolean; scope?: Sync['scope']; connection?: string }

const POLL_MS = 1_000
/** A first run over tens of thousands of SIMs takes the better part of an hour: an operator allows a few calls a second. */
const MAX_POLLS = 7_200
/** Runs of others that are waited for before its own turn is given up. */
const MAX_OTHERS = 3

export function addOperators(sims: Command, surroundings: Surroundings): void {
  const operators = sims.command('operators').description('connections to the platforms of mobile-network operators')
  addConnectionCommands<OperatorConnection>(operators, surroundings, {
    name: 'sims operators',
    path: '/operator-connections',
    exampleId: 'opc-3f8k1m6q9t2w5z8c1v4b',
    exampleAdd: '--file cisco.json --credential username=CISCO_USER --credential api_key=CISCO_API_KEY',
    exampleChange: '--file custody.json',
    header: ['CONNECTION', 'OPERATOR', 'NAME', 'ENABLED', 'DEFAULT PLAN', 'SIMS', 'SYNCED UNTIL'],
    rowOf: ({ connection_id, operator, name, enabled, default_plan_id, sim_count, synced_until }) => [
      ...[connection_id, operator, name, enabled ? 'yes' : 'no', default_plan_id ?? '-', String(sim_count), synced_until ?? '-'],
    ],
  })
}

export function addSync(sims: Command, surroundings: Surroundings): void {
  sims
    .command('sync')
    .description('synchronise with the operators’ platforms now; where a run is under way, show how far it is')
    .option('--full', 'every SIM, not only those that changed at the operator since the last time')
    .option('--wait', 'until the run is over (default: ten seconds at most)')
    .addOption(new Option('--scope <scope>', 'what of it (default: all)').choices(syncScopes))
    .option('--connection <id>', 'only this operator connection')
    .addHelpText('after', examples('npx roadworthy sims sync --wait', 'npx roadworthy sims sync --full --scope sims'))
    .action(handle<SyncOptions>(surroundings, sync))
}

async function sync(context: Context, options: SyncOptions): Promise<void> {
  const run = options.wait === true ? await runToItsEnd(context, options) : (await begin(context, options)).run
  context.out.answer(run, () => describe(run))
  for (const { iccid, connection_id, code, message } of run.errors) {
    context.out.note(`${iccid ?? connection_id ?? 'the run'}: ${message} (${code})`)
  }
  if (run.status === 'failed' || run.status === 'partial') throw new CommandFailure(`The synchronisation is ${run.status}.`)
}

async function begin(context: Context, { full, scope, connection }: SyncOptions): Promise<{ run: Sync; isOther: boolean }> {
  const body = { full, scope, connection_id: connection }
  const answer = await callSimBilling(context, '/sync', { method: 'POST', body })
  const isOther = answer['already_running'] === true
  if (isOther) context.out.note('Another run is under way; there is one at a time.')
  return { run: answer['sync'] as Sync, isOther }
}

/** The run that was asked for: another one that is under way, such as one by the clock, may look at less. */
async function runToItsEnd(context: Context, options: SyncOptions): Promise<Sync> {
  for (let others = 0; ; others++) {
    const { run, isOther } = await begin(context, options)
    const ended = await untilOver(context, run)
    if (!isOther || others === MAX_OTHERS) return ended
  }
}

async function untilOver(context: Context, begun: Sync): Promise<Sync> {
  let run = begun
  for (let polls = 0; run.status === 'running'; polls++) {
    if (polls === MAX_POLLS) throw new CommandFailure(`The run ${run.id} is under way still. Ask again with "npx roadworthy sims sync".`)
    await sleep(POLL_MS)
    run = (await callSimBilling(context, `/sync/${encodeURIComponent(run.id)}`))['sync'] as Sync
  }
  return run
}

function describe({ id, status, sims, usage }: Sync): string {
  const { seen, created, updated, unchanged, failed } = sims
  const counts = `${seen} SIMs seen: ${created} new, ${updated} changed, ${unchanged} as before, ${failed} failed; ${usage.updated} used more`
  return `${id} is ${status}. ${counts}.`
}
