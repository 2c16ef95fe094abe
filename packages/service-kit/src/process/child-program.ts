// A Node program that runs beside this one: started, waited for, started again with growing pauses when it ends, and stopped with us.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Logger, passLogLine } from '../telemetry/log.ts'

export type ChildProgramOptions = {
  name: string
  /** For Node itself. */
  nodeFlags?: readonly string[]
  script: string
  /** Asked for each time it is started. */
  args?: () => readonly string[]
  env: Readonly<Record<string, string | undefined>>
  log: Logger
  /** Asked until true before `start` resolves. Without it a child is ready once it is there. */
  isReady?: () => Promise<boolean>
  /** Called with every line of text that it prints, beside the log. */
  onLine?: (line: string) => void
  /** For a child that is talked with: messages as JSON. */
  channel?: ChildChannel
}

export type ChildChannel = {
  /** A new child is there, which knows nothing of what was sent to the one before. */
  readonly onStart: () => void
  readonly onMessage: (message: unknown) => void
  readonly onEnd: () => void
}

const READY_POLL_MS = 50
const READY_WAIT_MS = 30_000
const FIRST_RESTART_DELAY_MS = 250
const MAX_RESTART_DELAY_MS = 10_000
/** A child that lived this long was well; its next death starts from the shortest pause. */
const WELL_AFTER_MS = 60_000

export class ChildProgram {
  readonly #options: ChildProgramOptions
  readonly #stopping = new AbortController()
  #child: ChildProcess | undefined
  #lastLine: string | undefined
  #restartDelayMs = FIRST_RESTART_DELAY_MS

  constructor(options: ChildProgramOptions) {
    this.#options = options
  }

  /** Resolves when the child is ready. Rejects, and leaves no process, when it dies before or is not ready in time. */
  async start(): Promise<void> {
    if (this.#stopping.signal.aborted) return
    const child = this.#spawn()
    const turns = Math.ceil(READY_WAIT_MS / READY_POLL_MS)
    for (let turn = 0; turn < turns && !this.#stopping.signal.aborted; turn++) {
      if (hasEnded(child)) throw new Error(this.#describeEnd(child))
      if (this.#options.isReady === undefined || (await this.#options.isReady())) return this.#keepRunning(child)
      await sleep(READY_POLL_MS)
    }
    child.kill('SIGKILL')
    if (!this.#stopping.signal.aborted) throw new Error(`${this.#options.name} was not ready in ${READY_WAIT_MS / 1000} s.`)
  }

  /** Asks the child to stop, and kills it when it has not within the bound. */
  async stop(boundMs: number): Promise<void> {
    this.#stopping.abort()
    const child = this.#child
    if (child === undefined || hasEnded(child)) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), boundMs)
    await ended
    clearTimeout(timer)
  }

  kill(): void {
    this.#stopping.abort()
    this.#child?.kill('SIGKILL')
  }

  #describeEnd(child: ChildProcess): string {
    const lastWords = this.#lastLine === undefined ? '' : ` Its last words: ${this.#lastLine}`
    return `${this.#options.name} ended while starting (${child.signalCode ?? child.exitCode}).${lastWords}`
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** To a child with a channel. What was sent to one that is gone is lost, which its end reports. */
  send(message: object): void {
    if (this.#child?.connected === true) this.#child.send(message, () => undefined)
  }

  /** Ends the child at once; it is started again as after any other death. */
  killToRestart(): void {
    this.#child?.kill('SIGKILL')
  }

  #spawn(): ChildProcess {
    const { name, nodeFlags = [], script, args, env, log, channel } = this.#options
    const child = spawn(process.execPath, [...nodeFlags, script, ...(args?.() ?? []), '--exit-with-parent'], {
      env: env as NodeJS.ProcessEnv,
      stdio: channel === undefined ? ['pipe', 'pipe', 'pipe'] : ['pipe', 'pipe', 'pipe', 'ipc'],
      // A group of its own: Ctrl-C in a terminal must reach this process alone, which then stops the child in its turn.
      detached: true,
    })
    // Writing to it is never tried; a broken pipe only means that the child is gone, which its exit event reports too.
    child.stdin?.on('error', () => {})
    child.on('error', (err) => log.error({ err }, `${name} could not be started`))
    // They are missing where this machine has no file descriptor left; the error event reports that.
    for (const stream of [child.stdout, child.stderr]) if (stream) this.#passLines(stream)
    this.#child = child
    if (channel !== undefined) {
      child.on('message', channel.onMessage)
      child.once('exit', channel.onEnd)
      channel.onStart()
    }
    return child
  }

  /** A line that is JSON is the child's own log line and passes as it is; other text becomes a log line of ours. */
  #passLines(stream: Readable): void {
    createInterface({ input: stream }).on('line', (line) => {
      if (line.trim() !== '') this.#lastLine = line
      if (isLogLine(line)) return passLogLine(line)
      if (line.trim() === '') return
      this.#options.log.info({ part: this.#options.name }, line)
      this.#options.onLine?.(line)
    })
  }

  #keepRunning(child: ChildProcess): void {
    const startedMs = performance.now()
    const onExit = (): void => {
      if (this.#stopping.signal.aborted) return
      if (performance.now() - startedMs > WELL_AFTER_MS) this.#restartDelayMs = FIRST_RESTART_DELAY_MS
      this.#options.log.warn(
        { exit: child.signalCode ?? child.exitCode, delayMs: this.#restartDelayMs },
        `${this.#options.name} ended; starting it again`,
      )
      void this.#restart()
    }
    if (hasEnded(child)) onExit()
    else child.once('exit', onExit)
  }

  /** Never rejects. */
  async #restart(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      try {
        await sleep(this.#restartDelayMs, undefined, { signal })
      } catch {
        // Stopped while waiting.
        return
      }
      this.#restartDelayMs = Math.min(this.#restartDelayMs * 2, MAX_RESTART_DELAY_MS)
      try {
        return this.#keepRunning(this.#spawn())
      } catch (err) {
        // Without memory for another process, for example.
        this.#options.log.error({ err, delayMs: this.#restartDelayMs }, `${this.#options.name} could not be started; it is tried again`)
      }
    }
  }
}

function isLogLine(line: string): boolean {
  if (!line.startsWith('{')) return false
  try {
    return typeof JSON.parse(line) === 'object'
  } catch {
    // Text that merely begins with a brace.
    return false
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null || child.pid === undefined
}
