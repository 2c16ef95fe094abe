// A transaction of one statement in one round trip. Begin, what has to come before, the statement and commit go to the server as one pipeline of the
// extended query protocol with one Sync at its end, which the server answers at once. Sent as queries of their own they took a write, an answer and a
// waking of either side each, which is a third of what PostgreSQL spends on a small commit.
// https://www.postgresql.org/docs/18/protocol-flow.html#PROTOCOL-FLOW-PIPELINING

import pg from 'pg'

/** What of the connection of `pg` is used: it writes the messages of the protocol. */
type Connection = {
  parse(statement: { text: string; name: string }): void
  bind(portal: { statement: string; values?: readonly unknown[] }): void
  execute(portal: { portal?: string }): void
  endCopyFrom(): void
  sync(): void
  readonly stream: { write(bytes: Buffer): unknown }
  readonly submittedNamedStatements: Record<string, string>
  readonly parsedStatements: Record<string, string>
  on(event: 'parseComplete', listener: () => void): void
  off(event: 'parseComplete', listener: () => void): void
}
type CommandComplete = { readonly text: string }

/** What `pg` does for a query, which its types do not describe. */
type QuerySteps = {
  readonly name: string | undefined
  readonly text: string
  hasBeenParsed(connection: Connection): boolean
  prepare(connection: Connection): void
  /** Asks for the rows of the portal, and has the server answer. */
  _getRows(connection: Connection): void
  handleDataRow(message: unknown): void
  handleCommandComplete(message: CommandComplete, connection: Connection): void
}
const OneQuery = pg.Query as unknown as new (
  config: object,
  values: unknown,
  callback: (error: unknown, result: unknown) => void,
) => QuerySteps

/** What comes before the statement: a command; one with binary values, parsed once a connection where it has a name; or rows that COPY reads. */
export type Before =
  | string
  | { readonly name?: string | undefined; readonly text: string; readonly values: readonly Buffer[] }
  | CopyStatement
/** `copy … from stdin`, and what it reads. */
export type CopyStatement = { readonly text: string; readonly copied: readonly Buffer[] }

type Named = { readonly name: string; readonly text: string }

export type OneStatement = { readonly name: string | undefined; readonly text: string; readonly values?: readonly unknown[] | undefined }

/** To be given to `client.query`. After a failure the transaction stays open, and failed, until it is rolled back. */
export class TransactionQuery<R> extends OneQuery {
  /** Of the statement alone. */
  readonly result: Promise<R>
  readonly #before: readonly Before[]
  #stopListening = (): void => undefined
  #finishedCount = 0

  constructor(before: readonly Before[], { name, text, values }: OneStatement) {
    const { promise, resolve, reject } = Promise.withResolvers<R>()
    const config = { text, ...(name === undefined ? {} : { name }), queryMode: 'extended' }
    super(config, values, (error, result) => {
      this.#stopListening()
      if (error) reject(error)
      else resolve(result as R)
    })
    this.result = promise
    this.#before = ['begin', ...before]
  }

  #namedBefore(): Named[] {
    return this.#before.flatMap((before) => {
      const { name, text } = typeof before !== 'string' && 'values' in before ? before : {}
      return name === undefined || text === undefined ? [] : [{ name, text }]
    })
  }

  override prepare(connection: Connection): void {
    const { name, text } = this
    // First, for `pg` takes any answer to a Parse for that of this one. The nameless one would be replaced by those that come before the statement.
    if (name && !this.hasBeenParsed(connection)) {
      connection.parse({ text, name })
      connection.submittedNamedStatements[name] = text
      this.#parseNamed(connection, { name, text })
    } else this.#parseNamed(connection)
    for (const before of this.#before) run(connection, before)
    super.prepare(connection)
  }

  /** What is parsed stays so when the transaction fails; the answers, in the order of what was sent, say what is. */
  #parseNamed(connection: Connection, first?: Named): void {
    const names = new Set([first?.name])
    const before = this.#namedBefore().filter(({ name }) => {
      const isNew = connection.parsedStatements[name] === undefined && !names.has(name)
      names.add(name)
      return isNew
    })
    if (before.length === 0) return
    for (const statement of before) connection.parse(statement)
    const sent = first === undefined ? before : [first, ...before]
    const onParsed = () => {
      const parsed = sent.shift()
      if (parsed !== undefined) connection.parsedStatements[parsed.name] = parsed.text
    }
    connection.on('parseComplete', onParsed)
    this.#stopListening = () => connection.off('parseComplete', onParsed)
  }

  override _getRows(connection: Connection): void {
    connection.execute({})
    run(connection, 'commit')
    connection.sync()
  }

  get #isOfStatement(): boolean {
    return this.#finishedCount === this.#before.length
  }

  /** The rows are on their way already. */
  handleCopyInResponse(): void {}

  override handleDataRow(message: unknown): void {
    if (this.#isOfStatement) super.handleDataRow(message)
  }

  override handleCommandComplete(message: CommandComplete, connection: Connection): void {
    if (this.#isOfStatement) super.handleCommandComplete(message, connection)
    this.#finishedCount++
  }
}

function run(connection: Connection, step: Before): void {
  const { text, name = '', values = [] } = typeof step === 'string' ? { text: step } : 'values' in step ? step : { text: step.text }
  if (name === '') connection.parse({ text, name })
  connection.bind({ statement: name, values })
  connection.execute({})
  if (typeof step !== 'string' && 'copied' in step) sendCopied(connection, step.copied)
}

const COPIED_MESSAGE = 'd'.charCodeAt(0)
/** PostgreSQL takes no message of a gigabyte. */
const MAX_MESSAGE_BYTES = 8_388_608

/**
 * At once, without waiting for the server to ask for it: where the COPY is refused, the server passes over what comes until the Sync. A message may end anywhere in
 * a row.
 */
function sendCopied(connection: Connection, copied: readonly Buffer[]): void {
  for (const bytes of copied) {
    for (let from = 0; from < bytes.length; from += MAX_MESSAGE_BYTES) {
      const part = bytes.subarray(from, from + MAX_MESSAGE_BYTES)
      const header = Buffer.allocUnsafe(5)
      header[0] = COPIED_MESSAGE
      header.writeInt32BE(4 + part.length, 1)
      connection.stream.write(header)
      connection.stream.write(part)
    }
  }
  connection.endCopyFrom()
}
