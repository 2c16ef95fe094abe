import type { FastifyBaseLogger } from 'fastify'

type Bindings = Readonly<Record<string, unknown>>
type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace'

/**
 * A logger that is made, with its bindings, when something is logged. Fastify asks for a child of it for every request; almost none logs
 * anything, and making a child logger costs more than many an answer does.
 */
export class LazyLogger {
  readonly #parent: FastifyBaseLogger
  readonly #bindings: Bindings
  #child: FastifyBaseLogger | undefined

  constructor(parent: FastifyBaseLogger, bindings: Bindings) {
    this.#parent = parent
    this.#bindings = bindings
  }

  get level(): string {
    return this.#parent.level
  }

  #log(level: Level, args: unknown[]): void {
    this.#child ??= this.#parent.child(this.#bindings)
    ;(this.#child[level] as (...given: unknown[]) => void)(...args)
  }

  fatal(...args: unknown[]): void {
    this.#log('fatal', args)
  }
  error(...args: unknown[]): void {
    this.#log('error', args)
  }
  warn(...args: unknown[]): void {
    this.#log('warn', args)
  }
  info(...args: unknown[]): void {
    this.#log('info', args)
  }
  debug(...args: unknown[]): void {
    this.#log('debug', args)
  }
  trace(...args: unknown[]): void {
    this.#log('trace', args)
  }
  silent(): void {}

  child(bindings: Bindings): LazyLogger {
    return new LazyLogger(this.#parent, { ...this.#bindings, ...bindings })
  }
}
