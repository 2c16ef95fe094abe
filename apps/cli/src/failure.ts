// How a command ends: its exit code, and the one line that names what is wrong and what to do.

import { Problem } from '@roadworthy/service-kit/http/problem'
import { RecordingProblem } from '@roadworthy/simulator/recordings/recording'
import { ApiFailure } from '@roadworthy/simulator/senders/api'
import { MqttRefused } from '@roadworthy/simulator/senders/mqtt-refused'

export const exitCodes = { ok: 0, failed: 1, usage: 2, notAllowed: 3, notFound: 4 } as const
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** An end that a command foresees. The message is for a person: what is wrong, and what to do about it. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
  readonly exitCode: ExitCode

  constructor(message: string, exitCode: ExitCode = exitCodes.failed, cause?: unknown) {
    super(message, { cause })
    this.exitCode = exitCode
  }
}

/** There is nothing to ask: no service answered, or its address is not known. */
export class NothingThere extends CommandFailure {}

/** Errors of pg without a code, which do not name what was waited for. */
const SILENT_DATABASE = /^(timeout expired|timeout exceeded when trying to connect|Connection terminated due to connection timeout)$/
/** Of PgBouncer. */
const REFUSED_BY_POOLER = /^unsupported startup parameter/

/** Any error as an exit code and one line. */
export function describeFailure(error: unknown): { message: string; exitCode: ExitCode } {
  if (error instanceof CommandFailure) return { message: error.message, exitCode: error.exitCode }
  if (error instanceof Problem) return { message: oneLine(withAllowed(error)), exitCode: exitCodeOfProblem(error) }
  if (error instanceof RecordingProblem) return { message: oneLine(`${error.message}.`), exitCode: exitCodes.usage }
  if (error instanceof ApiFailure) return { message: oneLine(error.message), exitCode: exitCodeOfStatus(error.status ?? 0) }
  if (error instanceof MqttRefused) return { message: `The MQTT broker refuses ${error.message}`, exitCode: exitCodes.notAllowed }
  return { message: oneLine(error instanceof Error ? explained(error.message) || error.name : String(error)), exitCode: exitCodes.failed }
}

function explained(message: string): string {
  if (SILENT_DATABASE.test(message)) return `The database does not answer in time (${message}). Does PostgreSQL run, and is it overloaded?`
  if (REFUSED_BY_POOLER.test(message))
    return `The database address leads to a pooler (${message}). Name PostgreSQL itself: DATABASE_SESSION_URL, or --database-url.`
  return message
}

/** The codes of an HTTP answer that was not a success. */
export function exitCodeOfStatus(status: number): ExitCode {
  if (status === 401 || status === 403) return exitCodes.notAllowed
  return status === 404 ? exitCodes.notFound : exitCodes.failed
}

function exitCodeOfProblem({ code }: Problem): ExitCode {
  if (code === 'invalid_request') return exitCodes.usage
  return code === 'not_found' ? exitCodes.notFound : exitCodes.failed
}

function withAllowed({ message, details }: Problem): string {
  const allowed = details?.['allowed']
  return Array.isArray(allowed) && !message.includes('One of') ? `${message} One of: ${allowed.join(', ')}.` : message
}

function oneLine(text: string): string {
  return text.trim().replace(/\s*\n\s*/g, ' ')
}
