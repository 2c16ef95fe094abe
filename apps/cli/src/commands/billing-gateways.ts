// The gateways through which resellers pay the operator of the installation.

import type { Author } from '@roadworthy/platform/audit/audit'
import { type OperatorGateways, operatorGateways } from '@roadworthy/platform/payments/operator-gateways'
import type { Command } from 'commander'
import { type Context, examples, handle, RequiredOption, type Surroundings } from '../command.ts'
import { answerTried } from '../connection-commands.ts'
import { type ConnectionOptions, credentialOption, readConnection } from '../connection-file.ts'
import { operatorAuthor, requireSecretKey, withDatabase } from '../operator.ts'

const OPERATOR = '_operator'

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
    .addOption(credentialOption())
    .addHelpText(
      'after',
      examples(
        'npx roadworthy billing gateway add --file stripe.json --credential api_key=STRIPE_KEY --credential webhook_secret=STRIPE_WEBHOOK_SECRET',
      ),
    )
    .action(
      handle<ConnectionOptions>(surroundings, (context, options) =>
        answer(context, async (gateways, author) => await gateways.add(await readConnection(context.env, options), author)),
      ),
    )
  gateway
    .command('change <connection>')
    .description('change a connection, or replace its credentials')
    .option('--file <file>', 'JSON as of PUT /gateway-connections/{connection_id}; - reads it from standard input')
    .addOption(credentialOption())
    .addHelpText(
      'after',
      examples('npx roadworthy billing gateway change gwc-3f8k1m6q9t2w5z8c1v4b --credential webhook_secret=STRIPE_WEBHOOK_SECRET'),
    )
    .action(
      handle<ConnectionOptions>(surroundings, (context, options, id = '') =>
        answer(
          context,
          async (gateways, author) =>
            await gateways.change(id, await readConnection(context.env, options), author, context.env['GATEWAY_ALLOW_CIDRS'] ?? ''),
        ),
      ),
    )
  gateway
    .command('test <connection>')
    .description('ask the gateway something that moves no money; private networks by GATEWAY_ALLOW_CIDRS')
    .addHelpText('after', examples('npx roadworthy billing gateway test gwc-3f8k1m6q9t2w5z8c1v4b'))
    .action(
      handle(surroundings, async (context, _options, id = '') =>
        answerTried(context, await withGateways(context, (gateways) => gateways.test(id, context.env['GATEWAY_ALLOW_CIDRS'] ?? ''))),
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

type Run<T> = (gateways: OperatorGateways, author: Author) => Promise<T>

async function answer(context: Context, run: Run<unknown>): Promise<void> {
  const value = await withGateways(context, run)
  context.out.answer(value, () => JSON.stringify(value, null, 2))
}

async function withGateways<T>({ env, instance, now }: Context, run: Run<T>): Promise<T> {
  const secretKey = requireSecretKey(env, instance.dataDir)
  return await withDatabase(env, instance.dataDir, (database) =>
    run(operatorGateways(database, secretKey, now), operatorAuthor(OPERATOR, now())),
  )
}
