// The gateways through which resellers pay the operator of the installation.

import type { Author } from '@roadworthy/platform/access/audit'
import { type OperatorGateways, operatorGateways } from '@roadworthy/platform/payments/operator-gateways'
import type { Command } from 'commander'
import { type Context, examples, handle, RequiredOption, type Surroundings } from '../command.ts'
import { operatorAuthor, requireSecretKey, withDatabase } from '../operator.ts'
import { readDocument } from '../signed-document.ts'

const OPERATOR = '_operator'

type FileOptions = { file: string }

export function addGateways(billing: Command, surroundings: Surroundings): void {
  const gateway = billing.command('gateway').description('payment gateways through which resellers pay')
  const file = (like: string) => new RequiredOption('--file <file>', `JSON as of ${like}; - reads it from standard input`)
  gateway
    .command('list')
    .description('list them, without their credentials')
    .addHelpText('after', examples('npx roadworthy billing gateway list'))
    .action(handle(surroundings, (context) => answer(context, (gateways) => gateways.list())))
  gateway
    .command('add')
    .description('connect an account at a payment gateway')
    .addOption(file('POST /gateway-connections'))
    .addHelpText('after', examples('npx roadworthy billing gateway add --file stripe.json'))
    .action(
      handle<FileOptions>(surroundings, (context, { file: given }) =>
        answer(context, async (gateways, author) => await gateways.add(await readDocument(given), author)),
      ),
    )
  gateway
    .command('change <connection>')
    .description('change a connection, or replace its credentials')
    .addOption(file('PUT /gateway-connections/{connection_id}'))
    .addHelpText('after', examples('npx roadworthy billing gateway change gwc-3f8k1m6q9t2w5z8c1v4b --file new-secret.json'))
    .action(
      handle<FileOptions>(surroundings, (context, { file: given }, id = '') =>
        answer(context, async (gateways, author) => await gateways.change(id, await readDocument(given), author)),
      ),
    )
  gateway
    .command('remove <connection>')
    .description('forget a connection through which nothing is under way')
    .addHelpText('after', examples('npx roadworthy billing gateway remove gwc-3f8k1m6q9t2w5z8c1v4b'))
    .action(
      handle(surroundings, (context, _options, id = '') =>
        answer(context, async (gateways, author) => {
          await gateways.remove(id, author)
          return { connection_id: id }
        }),
      ),
    )
}

type Run = (gateways: OperatorGateways, author: Author) => Promise<unknown>

async function answer({ env, instance, now, out }: Context, run: Run): Promise<void> {
  const secretKey = requireSecretKey(env, instance.dataDir)
  const value = await withDatabase(env, instance.dataDir, (database) =>
    run(operatorGateways(database, secretKey, now), operatorAuthor(OPERATOR, now())),
  )
  out.answer(value, () => JSON.stringify(value, null, 2))
}
