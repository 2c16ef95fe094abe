// Settings of a service from one TypeBox schema: environment, flags of the same names, defaults, checks, help and example file are all
// read from it. `dataDir` in the schema is `DATA_DIR` in the environment and `--data-dir` on the command line; flags win.

import { closeSync, openSync, readSync } from 'node:fs'
import type { Static, TObject, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { closestName } from '../text/closest-name.ts'
import { maskAddress } from './mask-address.ts'

/** What this file reads of a property's schema besides JSON Schema's own words. */
export type SettingOptions = {
  description: string
  /** Never printed, kept apart from the other settings, and readable from a file named by `<NAME>_FILE` (container secrets). */
  secret?: boolean
  /** What the default depends on, for settings without a fixed one. */
  defaultText?: string
  /** A value that shows the form, where the default does not. */
  example?: string
}

/** By the name of a setting that has a value: a flag, `environment`, the variable that names its file, or `default`. */
export type SettingSources = ReadonlyMap<string, string>

export type SettingProblem = { name: string; value: string | undefined; source: string; fix: string }

export type Environment = Readonly<Record<string, string | undefined>>

export type LoadedSettings<T extends TObject> =
  | {
      kind: 'settings'
      settings: Static<T>
      secrets: Readonly<Record<string, string | undefined>>
      /** For `placeProblems`. */
      sources: SettingSources
      isCheckOnly: boolean
    }
  | { kind: 'help' }
  | { kind: 'problems'; problems: SettingProblem[] }

export type Property = { key: string; env: string; flag: string; schema: PropertySchema }
type PropertySchema = TSchema &
  SettingOptions & { type?: string; enum?: string[]; minimum?: number; maximum?: number; minLength?: number; default?: unknown }
export type Given = { text: string; source: string }

/** The largest of all, a public key, has less than a kilobyte. */
const MAX_SECRET_FILE_BYTES = 64 * 1024

const HELP_FLAGS = ['--help', '-h']
const CHECK_FLAG = '--check-config'
const ENV_FILE_FIX = 'settings come from flags and the environment. Load the file before the start: set -a; . ./FILE; set +a'
const TRUE_WORDS = ['on', 'true', 'yes', '1']
const FALSE_WORDS = ['off', 'false', 'no', '0']

/**
 * Reads everything and judges everything: all problems come back together, each with what to do about it. `shortFlags` are other names of
 * flags, each with the flag it stands for.
 */
export function loadSettings<T extends TObject>(
  schema: T,
  args: readonly string[],
  env: Environment,
  shortFlags: Readonly<Record<string, string>> = {},
): LoadedSettings<T> {
  if (args.some((arg) => HELP_FLAGS.includes(arg))) return { kind: 'help' }
  const properties = listProperties(schema)
  const problems: SettingProblem[] = []
  // `npm start` puts it before the flags, because Node takes --env-file of any program for itself, and ends where there is no such file.
  const flags = readFlags(args[0] === '--' ? args.slice(1) : args, properties, { problems, shortFlags })
  const settings: Record<string, unknown> = {}
  const secrets: Record<string, string | undefined> = {}
  const sources = new Map<string, string>()
  for (const property of properties) {
    const given = readGiven(property, flags, env, problems)
    const value = given === undefined ? property.schema.default : parseValue(property, given, problems)
    if (value === undefined) continue
    sources.set(property.env, given?.source ?? 'default')
    if (property.schema.secret === true) Object.defineProperty(secrets, property.key, { value: String(value), enumerable: false })
    else settings[property.key] = value
  }
  if (problems.length > 0) return { kind: 'problems', problems }
  return { kind: 'settings', settings: settings as Static<T>, secrets, sources, isCheckOnly: args.includes(CHECK_FLAG) }
}

/** `shown` with `secrets` beside it, which no log and no JSON of it shows. A copy by spreading leaves them behind. */
export function withSecrets<Shown extends object, Secrets extends object>(shown: Shown, secrets: Secrets): Shown & Secrets {
  const hidden = Object.fromEntries(Object.entries(secrets).map(([name, value]) => [name, { value, enumerable: false }]))
  return Object.defineProperties({ ...shown }, hidden) as Shown & Secrets
}

/** One line per problem, naming the setting, its value and what to do. No password of an address. */
export function formatProblems(problems: readonly SettingProblem[]): string {
  return problems
    .map(({ name, value, source, fix }) =>
      value === undefined ? `${name}: ${fix}` : `${name} is ${JSON.stringify(maskAddress(value))} (${source}): ${fix}`,
    )
    .join('\n')
}

/** Each flag has its line, and what it does below it: the longest flags leave no room beside them on a terminal of 80 columns. */
export function formatHelp(schema: TObject, usage: string): string {
  const rows = listProperties(schema).map((property) => {
    const { flag, schema: setting } = property
    const words = `${setting.description}${defaultNote(property)}`
    const form = flagForm(property)
    if (setting.enum === undefined || form.length + 2 <= HELP_COLUMNS) return { flag: form, words }
    return { flag: `${flag} VALUE`, words: `${words} One of ${setting.enum.join(', ')}.` }
  })
  rows.push({ flag: CHECK_FLAG, words: 'Check the settings, print them without the secrets, and stop.' })
  rows.push({ flag: HELP_FLAGS.join(', '), words: 'Print this.' })
  const blocks = rows.map(({ flag, words }) => `${wrapped(flag, '  ')}\n${wrapped(words, '      ')}`)
  const footer = 'Every flag is also an environment variable: --data-dir is DATA_DIR. Flags win.'
  return `${usage
    .split('\n')
    .map((line) => wrapped(line, ''))
    .join('\n')}\n\n${blocks.join('\n')}\n\n${footer}\n`
}

const HELP_COLUMNS = 80

function wrapped(text: string, indent: string): string {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last === undefined || last.length + 1 + word.length > HELP_COLUMNS) lines.push(`${indent}${word}`)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines.join('\n')
}

/** What stands in `.env.example`: every setting with what it does and its default, commented out. `without` names those that stand there already. */
export function formatEnvExample(schema: TObject, without: readonly string[] = []): string {
  const properties = listProperties(schema).filter(({ key }) => !without.includes(key))
  const blocks = properties.map(({ env, schema: { description, secret, default: preset, example, defaultText } }) => {
    const lines = [`# ${description}`]
    if (defaultText !== undefined) lines.push(`# Default: ${defaultText}.`)
    lines.push(`#${env}=${example ?? (preset === undefined ? '' : formatValue(preset))}`)
    if (secret === true) lines.push(`#${env}_FILE=`)
    return lines.join('\n')
  })
  return `${blocks.join('\n\n')}\n`
}

/** The settings in force, one `NAME=value` a line, for `--check-config`. Secrets show only whether they are set. */
export function formatEffective(schema: TObject, settings: object, secrets: Readonly<Record<string, string | undefined>>): string {
  const lines = listProperties(schema).map(({ key, env, schema: { secret } }) => {
    if (secret === true) return `${env}=${secrets[key] === undefined ? '' : '(set)'}`
    const value = (settings as Record<string, unknown>)[key]
    return `${env}=${value === undefined ? '' : maskAddress(formatValue(value))}`
  })
  return `${lines.join('\n')}\n`
}

function toEnvName(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()
}

export function listProperties(schema: TObject): Property[] {
  return Object.entries(schema.properties as Record<string, PropertySchema>).map(([key, property]) => {
    const env = toEnvName(key)
    return { key, env, flag: `--${env.toLowerCase().replaceAll('_', '-')}`, schema: property }
  })
}

type FlagsInto = { readonly problems: SettingProblem[]; readonly shortFlags: Readonly<Record<string, string>> }

export function readFlags(
  args: readonly string[],
  properties: readonly Property[],
  { problems, shortFlags }: FlagsInto,
): Map<string, Given> {
  const flags = new Map<string, Given>()
  const takesValue = new Map<string, boolean>()
  for (const { flag, schema } of properties) {
    takesValue.set(flag, schema.type !== 'boolean')
    if (schema.secret === true) takesValue.set(`${flag}-file`, true)
    if (schema.type === 'boolean') takesValue.set(`--no-${flag.slice(2)}`, false)
  }
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    if (arg === CHECK_FLAG) continue
    const [given = '', inline] = splitOnce(arg, '=')
    const name = Object.hasOwn(shortFlags, given) ? (shortFlags[given] as string) : given
    const isNegated = name.startsWith('--no-') && takesValue.get(name) === false
    if (!takesValue.has(name)) {
      problems.push(unknownArgument(arg, name, [...takesValue.keys(), ...Object.keys(shortFlags), CHECK_FLAG, ...HELP_FLAGS]))
      // What follows an unknown flag is taken for its value, so that one mistake is not reported twice.
      if (name.startsWith('--') && inline === undefined && args[at + 1]?.startsWith('-') === false) at++
    } else if (inline !== undefined && !isNegated) {
      flags.set(name, { text: inline, source: given })
    } else if (takesValue.get(name) === false) {
      flags.set(isNegated ? `--${name.slice('--no-'.length)}` : name, { text: isNegated ? 'off' : 'on', source: given })
    } else {
      const next = args[at + 1]
      if (next === undefined || next.startsWith('--'))
        problems.push({ name: given, value: undefined, source: given, fix: 'it needs a value after it.' })
      else flags.set(name, { text: next, source: given })
      if (next?.startsWith('--') === false) at++
    }
  }
  return flags
}

export function readGiven(property: Property, flags: Map<string, Given>, env: Environment, problems: SettingProblem[]): Given | undefined {
  const direct = flags.get(property.flag) ?? fromEnvironment(env, property.env)
  if (property.schema.secret !== true) return direct
  const file = flags.get(`${property.flag}-file`) ?? fromEnvironment(env, `${property.env}_FILE`)
  if (file === undefined) return direct
  if (direct !== undefined) {
    const fix = `${property.env} is set too (${direct.source}); keep one of the two.`
    problems.push({ name: `${property.env}_FILE`, value: file.text, source: file.source, fix })
    return undefined
  }
  const read = readSecretFile(file.text)
  // A flag names the setting itself.
  const source = file.source === 'environment' ? `${property.env}_FILE in the environment` : file.source
  if ('text' in read) return { text: read.text, source }
  problems.push({ name: `${property.env}_FILE`, value: file.text, source: file.source, fix: read.fix })
  return undefined
}

/** The secret that a file holds, without the end of its line, or what to do about it. */
export function readSecretFile(file: string): { text: string } | { fix: string } {
  try {
    const descriptor = openSync(file, 'r')
    try {
      const buffer = Buffer.alloc(MAX_SECRET_FILE_BYTES + 1)
      let length = 0
      for (let count = -1; count !== 0 && length < buffer.length; length += count) {
        count = readSync(descriptor, buffer, length, buffer.length - length, null)
      }
      if (length > MAX_SECRET_FILE_BYTES) {
        return { fix: `the file has more than ${MAX_SECRET_FILE_BYTES} bytes. Name a file that holds the secret and nothing else.` }
      }
      const text = buffer.toString('utf8', 0, length).replace(/[\r\n]+$/, '')
      return text.trim() === '' ? { fix: 'the file is empty. Write the secret into it.' } : { text }
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return { fix: `the file cannot be read (${code}). Name a file that holds the secret and that this user can read.` }
  }
}

/** An empty variable is one that compose files and shells leave when nothing is meant. */
function fromEnvironment(env: Environment, name: string): Given | undefined {
  const text = env[name]
  return text === undefined || text.trim() === '' ? undefined : { text: text.trim(), source: 'environment' }
}

function parseValue(property: Property, given: Given, problems: SettingProblem[]): unknown {
  const value = convert(property.schema, given.text)
  if (value !== undefined && Value.Check(property.schema, value)) return value
  const shown = property.schema.secret === true ? '(hidden)' : given.text
  problems.push({ name: property.env, value: shown, source: given.source, fix: `${wanted(property)} For example ${exampleOf(property)}.` })
  return undefined
}

function convert(schema: PropertySchema, text: string): unknown {
  const isNumber = schema.type === 'integer' || schema.type === 'number'
  if (isNumber) return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined
  if (schema.type !== 'boolean') return text
  if (TRUE_WORDS.includes(text.toLowerCase())) return true
  return FALSE_WORDS.includes(text.toLowerCase()) ? false : undefined
}

function wanted({ schema }: Property): string {
  if (schema.type === 'integer' || schema.type === 'number') {
    const { minimum, maximum } = schema
    const kind = schema.type === 'integer' ? 'a whole number' : 'a number'
    const range = maximum === undefined ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`
    return minimum === undefined ? `it must be ${kind}.` : `it must be ${kind} ${range}.`
  }
  if (schema.type === 'boolean') return 'it must be on or off.'
  if (schema.enum !== undefined) return `it must be one of ${schema.enum.join(', ')}.`
  if (schema.minLength !== undefined) return `it must have at least ${schema.minLength} characters.`
  return 'it does not have the form that is needed.'
}

function exampleOf(property: Property): string {
  const value = property.schema.example ?? property.schema.default
  return value === undefined ? flagForm(property) : `${property.flag} ${formatValue(value)}`
}

function unknownArgument(arg: string, name: string, known: readonly string[]): SettingProblem {
  if (!name.startsWith('-')) {
    return { name: arg, value: undefined, source: 'command line', fix: 'there is no such argument; settings are given as --name value.' }
  }
  if (name === '--env-file') return { name, value: undefined, source: 'command line', fix: ENV_FILE_FIX }
  const closest = closestName(name, known)
  const fix = `there is no such flag.${closest === undefined ? '' : ` Did you mean ${closest}?`} --help lists them all.`
  return { name, value: undefined, source: 'command line', fix }
}

function flagForm({ flag, schema }: Property): string {
  if (schema.type === 'boolean') return `${flag}, --no-${flag.slice(2)}`
  if (schema.enum !== undefined) return `${flag} ${schema.enum.join('|')}`
  return `${flag} ${schema.type === 'integer' || schema.type === 'number' ? 'N' : 'VALUE'}`
}

function defaultNote({ schema }: Property): string {
  if (schema.defaultText !== undefined) return ` [${schema.defaultText}]`
  return schema.default === undefined ? '' : ` [${formatValue(schema.default)}]`
}

export function formatValue(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return String(value)
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator)
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)]
}
