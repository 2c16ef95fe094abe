// One JSON object a line on standard output, for machines; short lines when a person watches. Secrets are removed before either.

import { type Logger, type LoggerOptions, pino, stdTimeFunctions } from 'pino'
import { OutageLog } from './outage-log.ts'

export type { Logger } from 'pino'

/** Where a secret could be logged by passing a request, a key or a setting along. */
const REDACTED_PATHS = ['api_key', 'apiKey', 'password', 'mqtt_password', 'secret', 'authorization', 'cookie'].flatMap((name) => [
  name,
  `*.${name}`,
])
const REDACTED_HEADERS = ['req.headers.authorization', 'req.headers["x-api-key"]', 'req.headers.cookie']

type LineSink = { write(line: string): unknown; isTTY?: boolean }

export function createLogger(level: string, sink: LineSink = process.stdout): Logger {
  const outages = new OutageLog()
  const options: LoggerOptions = {
    level,
    hooks: {
      logMethod(args, method) {
        const [about, line] = args as [about: unknown, line?: unknown]
        const { err, ...more } = (about ?? {}) as { err?: unknown }
        const whole = typeof line === 'string' && Object.keys(more).length === 0 ? line : undefined
        if (err === undefined || outages.isWorthALine(err, performance.now(), whole)) method.apply(this, args)
      },
    },
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: [...REDACTED_PATHS, ...REDACTED_HEADERS], censor: '(hidden)' },
  }
  return pino(
    options,
    sink.isTTY === true ? { write: (line: string) => sink.write(toShortLine(line)) } : { write: (line) => sink.write(line) },
  )
}

/** Passes on a line that another process of ours has logged, in the form this one speaks. */
export function passLogLine(line: string, sink: LineSink = process.stdout): void {
  sink.write(sink.isTTY === true ? toShortLine(line) : `${line}\n`)
}

/** `12:34:56 warn  message name=value`, and the stack of an error below it. */
function toShortLine(line: string): string {
  const { level, time, msg, err, ...rest } = JSON.parse(line) as Record<string, unknown>
  const clock = String(time).slice(11, 19)
  const fields = Object.entries(rest).map(([name, value]) => ` ${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
  const { stack, message } = (err ?? {}) as { stack?: string; message?: string }
  const failure = err === undefined ? '' : `\n  ${(stack ?? message ?? JSON.stringify(err)).replaceAll('\n', '\n  ')}`
  return `${clock} ${String(level).padEnd(5)} ${String(msg ?? '')}${fields.join('')}${failure}\n`
}
