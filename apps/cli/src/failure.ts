// How a command ends: its exit code, and the one line that names what is wrong and what to do.

import { Problem } from '@roadworthy/service-kit/problem'
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

/** Any error as an exit code and one line. */
export function describeFailure(error: unknown): { message: string; exitCode: ExitCode } {
  if (error instanceof CommandFailure) return { message: error.message, exitCode: error.exitCode }
  if (error instanceof Problem) return { message: oneLine(withAllowed(error)), exitCode: exitCodeOfProblem(error) }
  if (error instanceof RecordingProblem) return { message: oneLine(`${error.message}.`), exitCode: exitCodes.usage }
  if (error instanceof ApiFailure) return { message: oneLine(error.message), exitCode: exitCodeOfStatus(error.status ?? 0) }
  if (error instanceof MqttRefused) return { message: `The MQTT broker refuses ${error.message}`, exitCode: exitCodes.notAllowed }
  return { message: oneLine(error instanceof Error ? error.message || error.name : String(error)), exitCode: exitCodes.failed }
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
