// Mosquitto's dynamic-security plugin: commands as JSON on a topic of its own, answers on another.

import { randomUUID } from 'node:crypto'
import type { BrokerConnection, BrokerPlan } from './broker-connection.ts'
import { BrokerLink, type BrokerLinkDeps } from './broker-link.ts'

const COMMANDS = '$CONTROL/dynamic-security/v1'
const RESPONSES = `${COMMANDS}/response`
const ANSWER_BOUND_MS = 5_000
/** A page of names is some 50 KiB; the plugin answers in one message. */
const NAMES_PER_PAGE = 500

export type Command = { readonly command: string; readonly [argument: string]: unknown }
/** `error` in the plugin's words, for example "Client not found". */
export type CommandAnswer = { readonly command: string; readonly error?: string; readonly data?: unknown }

type Asked = {
  readonly id: string
  readonly connection: BrokerConnection
  resolve(answers: CommandAnswer[]): void
  reject(error: Error): void
}

export class DynamicSecurity {
  readonly #link: BrokerLink
  #asked: Asked | undefined
  #watched: BrokerConnection | undefined
  #connectionCount = 0

  constructor(
    deps: Omit<BrokerLinkDeps, 'plan' | 'onMessage' | 'onOpen'> & { readonly plan: Omit<BrokerPlan, 'filters' | 'sessionExpiryS'> },
  ) {
    this.#link = new BrokerLink({
      ...deps,
      plan: { ...deps.plan, filters: [RESPONSES], sessionExpiryS: 0 },
      onOpen: () => this.#connectionCount++,
      onMessage: ({ payload, packetId }, { acks }) => {
        acks.add(packetId).isDone = true
        acks.release()
        this.#take(payload)
      },
    })
  }

  start(): void {
    this.#link.start()
  }

  close(withinMs: number): Promise<void> {
    return this.#link.close(withinMs)
  }

  /** Why commands cannot be sent; undefined while they can. */
  get trouble(): string | undefined {
    return this.#link.trouble
  }

  /** Another number means that the broker may have been restarted, or replaced. */
  get connectionCount(): number {
    return this.#connectionCount
  }

  /** One answer for each command, in their order. One call at a time. Rejects when the broker is away or does not answer. */
  async send(commands: readonly Command[]): Promise<CommandAnswer[]> {
    const { connection } = this.#link
    if (connection === undefined || this.#asked !== undefined)
      throw new Error('the broker is not connected, or another command is under way')
    const id = randomUUID()
    const { promise, resolve, reject } = Promise.withResolvers<CommandAnswer[]>()
    this.#asked = { id, connection, resolve, reject }
    this.#watch(connection)
    // Reported to whoever awaits it; it may fail once more after that.
    promise.catch(() => {})
    const timer = setTimeout(() => reject(new Error(`the plugin did not answer within ${ANSWER_BOUND_MS} ms`)), ANSWER_BOUND_MS)
    try {
      const sent = connection.publish(COMMANDS, JSON.stringify({ commands: commands.map((each) => ({ ...each, correlationData: id })) }))
      if (!sent) throw new Error('the broker does not read')
      const answers = await promise
      if (answers.length !== commands.length) throw new Error(`the plugin answered ${answers.length} of ${commands.length} commands`)
      return answers
    } finally {
      clearTimeout(timer)
      this.#asked = undefined
    }
  }

  /** The usernames of all accounts. */
  async listClients(): Promise<Set<string>> {
    const names = new Set<string>()
    for (let offset = 0; ; offset += NAMES_PER_PAGE) {
      const [answer] = await this.send([{ command: 'listClients', verbose: false, count: NAMES_PER_PAGE, offset }])
      if (answer?.error !== undefined) throw new Error(`listClients: ${answer.error}`)
      const { clients = [] } = (answer?.data ?? {}) as { clients?: unknown[] }
      for (const name of clients) if (typeof name === 'string') names.add(name)
      if (clients.length < NAMES_PER_PAGE) return names
    }
  }

  /** Once for each connection: what waits for its end is held until then, which may be years. */
  #watch(connection: BrokerConnection): void {
    if (this.#watched === connection) return
    this.#watched = connection
    void connection.closed.then((reason) => {
      if (this.#asked?.connection === connection) this.#asked.reject(new Error(reason))
    })
  }

  #take(payload: Buffer): void {
    const answers = readAnswers(payload)
    // Answers to others, and late ones to us, name another id.
    if (this.#asked !== undefined && answers.some(({ correlationData }) => correlationData === this.#asked?.id))
      this.#asked.resolve(answers)
  }
}

function readAnswers(payload: Buffer): (CommandAnswer & { correlationData?: unknown })[] {
  try {
    const { responses } = JSON.parse(payload.toString()) as { responses?: unknown }
    return Array.isArray(responses) ? responses.filter((each) => typeof each === 'object' && each !== null) : []
  } catch {
    // Not the plugin's words, so not an answer: whoever waits for one gets its time limit.
    return []
  }
}
