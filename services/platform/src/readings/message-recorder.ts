// What devices sent a moment ago, for people who look at why a message is not what they expect (ADR 0028). Nothing waits for it: what there is
// no room for is left out, and what cannot be written is lost.

import type { Database } from '@roadworthy/service-kit/postgres/db'
import { insertMessagesAcrossResellers, selectRecordingsAcrossResellers } from './messages.sql.ts'
import type { MessageBody, SeenMessage } from './seen-message.ts'

/** Of a device whose messages are recorded, in one interval. */
const MAX_RECORDED = 50
/** Of one whose messages are noted only where they are refused. */
const MAX_REFUSED = 10
/** Of all devices. Assumption: nobody looks at more, and a table that is written a thousand times a second would slow ingest. */
const MAX_WAITING = 500
const MAX_BODY_CHARACTERS = 4_096

export class MessageRecorder {
  readonly #database: Database
  readonly #now: () => Date
  /** Until when messages of a device are recorded. */
  #recorded = new Map<string, number>()
  #waiting: SeenMessage[] = []
  readonly #countOf = new Map<string, number>()

  constructor(database: Database, now: () => Date) {
    this.#database = database
    this.#now = now
  }

  /** Whether any device is recorded: nearly never, and then ingest asks nothing more. */
  get isRecording(): boolean {
    return this.#recorded.size > 0
  }

  isRecorded(resellerId: string, deviceId: string): boolean {
    const until = this.#recorded.get(`${resellerId}/${deviceId}`)
    return until !== undefined && until > this.#now().getTime()
  }

  /** Whether one more message of the device is taken. Ask before its body is written out. */
  hasRoom(resellerId: string, device: string): boolean {
    const limit = this.isRecorded(resellerId, device) ? MAX_RECORDED : MAX_REFUSED
    return this.#waiting.length < MAX_WAITING && (this.#countOf.get(`${resellerId}/${device}`) ?? 0) < limit
  }

  note(message: SeenMessage): void {
    const key = `${message.resellerId}/${message.device}`
    this.#waiting.push(message)
    this.#countOf.set(key, (this.#countOf.get(key) ?? 0) + 1)
  }

  /** Which devices are recorded, as the database has it. */
  async refresh(): Promise<void> {
    const recordings = await selectRecordingsAcrossResellers(this.#database.systemPool, this.#now())
    this.#recorded = new Map(recordings.map(({ resellerId, deviceId, until }) => [`${resellerId}/${deviceId}`, until.getTime()]))
  }

  /** Writes what was noted. When it rejects, that is lost. */
  async flush(): Promise<void> {
    const messages = this.#waiting
    if (messages.length === 0) return
    this.#waiting = []
    this.#countOf.clear()
    await this.#database.system((db) => insertMessagesAcrossResellers(db, messages))
  }
}

const SECRET_NAME = /passw|secret|token|api[-_]?key|authori[sz]ation|credential/i
/** In text that may be no JSON: a name with its colon, and the value behind it. Each is found by going over the text once, whatever is in it. */
const NAME = /"([^"]*)"\s*:\s*/g
const VALUE = /"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)|[^,}\]\s]+/y
const REMOVED = '[removed]'

/** Takes out what looks like a credential, with all that is within it: for `JSON.stringify` and `JSON.parse`. */
export function hideSecret(name: string, value: unknown): unknown {
  return SECRET_NAME.test(name) ? REMOVED : value
}

/** The same of text that may be no JSON. */
export function withoutSecrets(text: string): string {
  let safe = ''
  let from = 0
  for (const name of text.matchAll(NAME)) {
    if (name.index < from || !SECRET_NAME.test(name[1] ?? '')) continue
    VALUE.lastIndex = name.index + name[0].length
    const value = VALUE.exec(text)
    if (value === null) continue
    safe += `${text.slice(from, value.index)}"${REMOVED}"`
    from = VALUE.lastIndex
  }
  return safe + text.slice(from)
}

/** The text of a message, without what looks like a credential, and no longer than a person reads. */
export function shownBody(text: string, bytes: number): MessageBody {
  // Twice what is shown, so that a secret that begins within is seen to its end.
  const safe = withoutSecrets(text.slice(0, 2 * MAX_BODY_CHARACTERS).replaceAll('\u0000', '\ufffd'))
  const isCut = text.length > MAX_BODY_CHARACTERS
  return { text: safe.slice(0, MAX_BODY_CHARACTERS).toWellFormed(), bytes, isCut }
}
