// What PostgreSQL sends to all processes (NOTIFY), over one connection per process. Messages sent while that connection is down are lost,
// so every listener is notified of a gap and must then drop what it holds; and since a gap is noticed late at times (a
// connection that dies silently), a listener that must be right within a second needs a time limit of its own as well.

import pg from 'pg'

export type Notifications = {
  /**
   * Calls `onMessage` with each payload on a channel, and `onGap` whenever messages may have been missed: after the channel is first
   * listened to and after every reconnection. Returns a function that stops it.
   */
  on(channel: string, onMessage: (payload: string) => void, onGap: () => void): () => void
  /** Resolves when every channel asked for so far is listened to. */
  whenListening(): Promise<void>
  close(): Promise<void>
}

type Listener = { readonly onMessage: (payload: string) => void; readonly onGap: () => void }

const CHANNEL = /^[a-z_]{1,63}$/
const FIRST_RETRY_MS = 100
const MAX_RETRY_MS = 5_000
/** A connection that a firewall dropped without a word is found by asking, not by waiting. */
const HEARTBEAT_MS = 15_000
const ANSWER_TIMEOUT_MS = 5_000

/** Connects in the background and for ever: starting while the database is away is fine. */
export function openNotifications(options: { connectionString: string; onError: (error: Error) => void }): Notifications {
  return new ListeningConnection(options.connectionString, options.onError)
}

class ListeningConnection implements Notifications {
  readonly #connectionString: string
  readonly #onError: (error: Error) => void
  readonly #listeners = new Map<string, Set<Listener>>()
  /** Channels that the standing connection listens to. */
  readonly #listening = new Set<string>()
  #client: pg.Client | undefined
  /** The client whose LISTEN statements are under way. */
  #listeningClient: pg.Client | undefined
  #isConnected = false
  #isClosed = false
  #retryMs = FIRST_RETRY_MS
  #timer: NodeJS.Timeout | undefined
  #waiting: (() => void)[] = []

  constructor(connectionString: string, onError: (error: Error) => void) {
    this.#connectionString = connectionString
    this.#onError = onError
    this.#connect()
  }

  on(channel: string, onMessage: (payload: string) => void, onGap: () => void): () => void {
    if (!CHANNEL.test(channel)) throw new Error(`not a channel name: ${JSON.stringify(channel)}`)
    const listener = { onMessage, onGap }
    const others = this.#listeners.get(channel)
    if (others === undefined) this.#listeners.set(channel, new Set([listener]))
    else others.add(listener)
    if (others === undefined && this.#isConnected && this.#client !== undefined) void this.#listenToMissing(this.#client)
    return () => this.#listeners.get(channel)?.delete(listener)
  }

  whenListening(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      this.#resolveWaiting()
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#isConnected = false
    clearTimeout(this.#timer)
    const last = this.#client
    this.#client = undefined
    await last?.end().catch(ignoreBrokenConnection)
    this.#resolveWaiting()
  }

  #connect(): void {
    const client = new pg.Client({
      connectionString: this.#connectionString,
      connectionTimeoutMillis: ANSWER_TIMEOUT_MS,
      query_timeout: ANSWER_TIMEOUT_MS,
      keepAlive: true,
      application_name: 'roadworthy-listen',
    })
    this.#client = client
    client.on('error', (error) => this.#lose(client, error))
    client.on('end', () => this.#lose(client, undefined))
    client.on('notification', ({ channel, payload }) => {
      for (const { onMessage } of this.#listeners.get(channel) ?? []) onMessage(payload ?? '')
    })
    client.connect().then(
      () => {
        if (this.#client !== client) return
        this.#isConnected = true
        this.#retryMs = FIRST_RETRY_MS
        this.#scheduleHeartbeat(client)
        void this.#listenToMissing(client)
      },
      (error: Error) => this.#lose(client, error),
    )
  }

  #lose(client: pg.Client, error: Error | undefined): void {
    if (this.#client !== client) return
    this.#client = undefined
    this.#isConnected = false
    this.#listening.clear()
    this.#listeningClient = undefined
    clearTimeout(this.#timer)
    client.end().catch(ignoreBrokenConnection)
    if (error !== undefined) this.#onError(error)
    this.#timer = setTimeout(() => this.#connect(), this.#retryMs).unref()
    this.#retryMs = Math.min(this.#retryMs * 2, MAX_RETRY_MS)
  }

  /** Once at a time for a client, which takes one statement at a time: channels that are asked for meanwhile are come to by the loop. */
  async #listenToMissing(client: pg.Client): Promise<void> {
    if (this.#listeningClient === client) return
    this.#listeningClient = client
    try {
      for (const channel of this.#listeners.keys()) {
        if (this.#listening.has(channel)) continue
        await client.query(`listen ${channel}`)
        if (this.#client !== client) return
        this.#listening.add(channel)
        for (const { onGap } of this.#listeners.get(channel) ?? []) onGap()
      }
      this.#listeningClient = undefined
      this.#resolveWaiting()
    } catch (error) {
      this.#lose(client, error as Error)
    }
  }

  #resolveWaiting(): void {
    const isReady = this.#isConnected && [...this.#listeners.keys()].every((channel) => this.#listening.has(channel))
    if (!isReady && !this.#isClosed) return
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  #scheduleHeartbeat(client: pg.Client): void {
    if (this.#client !== client) return
    this.#timer = setTimeout(() => {
      client.query('select 1').then(
        () => this.#scheduleHeartbeat(client),
        (error: Error) => this.#lose(client, error),
      )
    }, HEARTBEAT_MS).unref()
  }
}

function ignoreBrokenConnection(): void {
  // The connection is being given up; how it ends changes nothing.
}
