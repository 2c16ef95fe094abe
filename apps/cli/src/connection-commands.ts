// Connections of a reseller to somebody else's platforms, an operator's or a gateway's: the same five commands for both.

import type { Command } from 'commander'
import { type Context, examples, handle, RequiredOption, type Surroundings } from './command.ts'
import { type ConnectionOptions, credentialOption, readConnection } from './connection-file.ts'
import { CommandFailure } from './failure.ts'
import { formatTable } from './output.ts'
import { callSimBilling } from './sim-billing.ts'

export type ConnectionCommands<Connection> = {
  /** Of the command line, such as `sims operators`. */
  readonly name: string
  /** Of the API, such as `/operator-connections`. */
  readonly path: string
  readonly exampleId: string
  readonly exampleAdd: string
  readonly exampleChange: string
  readonly header: readonly string[]
  readonly rowOf: (connection: Connection) => readonly string[]
  /** More for people of one that was just made or changed. */
  readonly note?: (connection: Connection) => string
}

type Tried = { readonly success: boolean; readonly message: string; readonly duration_ms: number }

const PAGE_LIMIT = 500

export function addConnectionCommands<Connection>(parent: Command, surroundings: Surroundings, kind: ConnectionCommands<Connection>): void {
  const { name, path, exampleId } = kind
  const idPath = (id: string) => `${path}/${encodeURIComponent(id)}`
  const like = (route: string) => `JSON as of ${route}; - reads it from standard input`
  parent
    .command('list')
    .description('list them, without their credentials')
    .addHelpText('after', examples(`npx roadworthy ${name} list`))
    .action(handle(surroundings, (context) => list(context, kind)))
  parent
    .command('add')
    .description('connect an account; nothing is asked of it until it is tested')
    .addOption(new RequiredOption('--file <file>', like(`POST ${path}`)))
    .addOption(credentialOption())
    .addHelpText('after', examples(`npx roadworthy ${name} add ${kind.exampleAdd}`))
    .action(handle<ConnectionOptions>(surroundings, (context, options) => send(context, kind, 'POST', path, options)))
  parent
    .command('change <connection>')
    .description('change a connection, or replace its credentials')
    .option('--file <file>', like(`PUT ${path}/{connection_id}`))
    .addOption(credentialOption())
    .addHelpText('after', examples(`npx roadworthy ${name} change ${exampleId} ${kind.exampleChange}`))
    .action(handle<ConnectionOptions>(surroundings, (context, options, id = '') => send(context, kind, 'PUT', idPath(id), options)))
  parent
    .command('remove <connection>')
    .description('forget a connection that nothing depends on')
    .addHelpText('after', examples(`npx roadworthy ${name} remove ${exampleId}`))
    .action(
      handle(surroundings, async (context, _options, id = '') => {
        await callSimBilling(context, idPath(id), { method: 'DELETE' })
        context.out.answer({ connection_id: id }, () => `${id} is forgotten`)
      }),
    )
  parent
    .command('test <connection>')
    .description('ask the other side for the least that proves the credentials')
    .addHelpText('after', examples(`npx roadworthy ${name} test ${exampleId}`))
    .action(
      handle(surroundings, async (context, _options, id = '') => {
        answerTried(context, (await callSimBilling(context, `${idPath(id)}/test`, { method: 'POST' })) as Tried)
      }),
    )
}

/** One that does not work is a failure, with the other side's words. */
export function answerTried({ out }: Pick<Context, 'out'>, tried: Tried): void {
  out.answer(tried, () => `${tried.success ? 'It works.' : 'It does not work.'} ${tried.message} (${tried.duration_ms} ms)`)
  if (!tried.success) throw new CommandFailure('The connection cannot be used as it is.')
}

async function list<Connection>(context: Context, { path, header, rowOf }: ConnectionCommands<Connection>): Promise<void> {
  const connections: Connection[] = []
  for (let after: string | null = ''; after !== null; ) {
    // Connections to gateways are few, and answered at once.
    const page = await callSimBilling(context, after === '' ? path : `${path}?${new URLSearchParams({ limit: String(PAGE_LIMIT), after })}`)
    const { endCursor, hasNextPage } = (page['pagination'] ?? { hasNextPage: false }) as { endCursor: string; hasNextPage: boolean }
    connections.push(...(page['connections'] as Connection[]))
    after = hasNextPage ? endCursor : null
  }
  context.out.answer({ total: connections.length, connections }, () => formatTable(header, connections.map(rowOf)))
}

async function send<Connection>(
  context: Context,
  { header, rowOf, note }: ConnectionCommands<Connection>,
  method: 'POST' | 'PUT',
  path: string,
  options: ConnectionOptions,
): Promise<void> {
  const body = await readConnection(context.env, options)
  const connection = (await callSimBilling(context, path, { method, body }))['connection'] as Connection
  context.out.answer(connection, () =>
    [formatTable(header, [rowOf(connection)]), ...(note === undefined ? [] : [note(connection)])].join('\n'),
  )
}
