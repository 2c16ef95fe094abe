// One JSON object a line on standard output, for machines; short lines when a person watches. Secrets are removed before either.

import { type Logger, pino } from 'pino'

export type { Logger } from 'pino'

/** Where a secret could be logged by passing a request, a key or a setting along. */
const REDACTED_PATHS = ['api_key', 'apiKey', 'password', 'mqtt_password', 'secret', 'authorization', 'cookie'].flatMap((name) => [
  name,
  `*.${name}`,
])
const REDACTED_HEADERS = ['req.headers.authorization', 'req.headers["x-api-key"]', 'req.headers.cookie']

type LineSink = { write(line: string): unknown; isTTY?: boolean }

export function createLogger(level: string, sink: LineSink = process.stdout): Logger {
  const options = { level, base: null, redact: { paths: [...REDACTED_PATHS, ...REDACTED_HEADERS], censor: '(hidden)' } }
  return pino(
    options,
    sink.isTTY === true ? { write: (line: string) => sink.write(toShortLine(line)) } : { write: (line) => sink.write(line) },
  )
}

const LEVEL_WORDS: Record<number, string> = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' }

/** `12:34:56 warn  message name=value`, and the stack of an error below it. */
export function toShortLine(line: string): string {
  const { level, time, msg, err, ...rest } = JSON.parse(line) as Record<string, unknown>
  const clock = new Date(Number(time)).toISOString().slice(11, 19)
  const fields = Object.entries(rest).map(([name, value]) => ` ${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
  const { stack, message } = (err ?? {}) as { stack?: string; message?: string }
  const failure = err === undefined ? '' : `\n  ${(stack ?? message ?? JSON.stringify(err)).replaceAll('\n', '\n  ')}`
  return `${clock} ${(LEVEL_WORDS[Number(level)] ?? String(level)).padEnd(5)} ${String(msg ?? '')}${fields.join('')}${failure}\n`
}
