// What every command gets, and how its flags are read.

import type { Environment } from '@roadworthy/service-kit/process/settings'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { secretOf } from './environment-secret.ts'
import { findInstance, type Instance, type InstanceOptions } from './instance.ts'
import { createOutput, type Output } from './output.ts'

/** What is around the command line, read once in `main.ts`. */
export type Surroundings = { readonly env: Environment; readonly cwd: string; readonly now: () => Date }

export type Context = Surroundings & { readonly out: Output; readonly instance: Instance }

export type GlobalOptions = InstanceOptions & { readonly json?: boolean }

/** Runs `run` with the command's own options and its arguments in order. */
export function handle<Options>(
  surroundings: Surroundings,
  run: (context: Context, options: Options, ...args: string[]) => Promise<void>,
): (...received: unknown[]) => Promise<void> {
  return async (...received) => {
    const command = received.at(-1) as Command
    const globals = command.optsWithGlobals<GlobalOptions>()
    const options = { ...globals, apiKey: globals.apiKey ?? secretOf(surroundings.env, 'ROADWORTHY_API_KEY') }
    const context = { ...surroundings, out: createOutput(globals.json === true), instance: findInstance(options, surroundings.cwd) }
    await run(context, command.opts() as Options, ...(command.processedArgs as string[]))
  }
}

/**
 * An option that must be given. Commander's own required options are checked before unknown ones, so that a typing mistake in one would be
 * reported as its absence, without the suggestion.
 */
export class RequiredOption extends Option {
  constructor(flags: string, description: string) {
    super(flags, `${description} (required)`)
  }
}

/** Names all that are missing at once. */
export function checkRequired(command: Command): void {
  const missing = command.options.filter(
    (option) => option instanceof RequiredOption && command.getOptionValue(option.attributeName()) === undefined,
  )
  if (missing.length > 0) command.error(`error: missing ${missing.map(({ flags }) => `'${flags}'`).join(', ')}`)
}

/** Examples at the end of a command's help; each is a line that works as it stands. */
export function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`
}

export function numberFrom(low: number, high: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (text.trim() !== '' && value >= low && value <= high) return value
    throw new InvalidArgumentError(`A number from ${low} to ${high} is wanted.`)
  }
}

export function numberAbove(low: number, high: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (text.trim() !== '' && value > low && value <= high) return value
    throw new InvalidArgumentError(`A number above ${low}, up to ${high}, is wanted.`)
  }
}

export function integerFrom(low: number, high: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= low && value <= high) return value
    throw new InvalidArgumentError(`A whole number from ${low} to ${high} is wanted.`)
  }
}

export function urlOf(...protocols: readonly string[]): (text: string) => string {
  return (text) => {
    if (URL.canParse(text) && protocols.includes(new URL(text).protocol)) return text
    throw new InvalidArgumentError(`An address that begins with ${protocols.map((each) => `${each}//`).join(' or ')} is wanted.`)
  }
}

export function listOf(text: string): string[] {
  const items = text.split(',').map((item) => item.trim())
  if (items.every((item) => item !== '')) return items
  throw new InvalidArgumentError('Names separated by commas are wanted.')
}
