// What each setting is, where it comes from, and which variables of the environment look like settings and are none. Shows no secret.

import type { TObject } from 'typebox'
import { misspeltName } from '../text/closest-name.ts'
import { maskAddress, maskSecret } from './mask-address.ts'
import { type Environment, formatValue, listProperties, type Property, readFlags, readGiven, type SettingProblem } from './settings.ts'

export type InspectedSetting = {
  readonly name: string
  /** As it is shown: of a secret the address without its password, or that it is set. Null: not set, and without a fixed default. */
  readonly value: string | null
  readonly source: 'default' | 'environment' | 'file' | 'flag'
  /** The variable, the file or the flag it comes from; of a default what it depends on, where it is not fixed. */
  readonly from: string | null
  readonly isSecret: boolean
  readonly description: string
}

export type UnknownSetting = { readonly name: string; readonly closest: string | undefined; readonly fix: string }

/** One entry a setting, in the schema's order. Settings that cannot be read are shown as not set; `loadSettings` reports what is wrong with them. */
export function inspectSettings(schema: TObject, args: readonly string[], env: Environment): InspectedSetting[] {
  const properties = listProperties(schema)
  const ignored: SettingProblem[] = []
  const flags = readFlags(args, properties, { problems: ignored, shortFlags: {} })
  return properties.map((property) => {
    const given = readGiven(property, flags, env, ignored)
    const { name, isSecret, description } = factsOf(property)
    if (given === undefined) {
      const { default: preset, defaultText } = property.schema
      const value = preset === undefined ? null : formatValue(preset)
      return { name, value, source: 'default', from: defaultText ?? null, isSecret, description }
    }
    const value = isSecret ? maskSecret(given.text) : maskAddress(given.text)
    return { name, value, ...placeOf(property, flags, env), isSecret, description }
  })
}

function factsOf({ env, schema: { secret, description } }: Property) {
  return { name: env, isSecret: secret === true, description }
}

function placeOf(
  { env: name, flag }: Property,
  flags: ReadonlyMap<string, unknown>,
  env: Environment,
): Pick<InspectedSetting, 'source' | 'from'> {
  if (flags.has(flag)) return { source: 'flag', from: flag }
  if (flags.has(`${flag}-file`)) return { source: 'file', from: `${flag}-file` }
  if ((env[name] ?? '').trim() !== '') return { source: 'environment', from: name }
  return { source: 'file', from: `${name}_FILE=${env[`${name}_FILE`] ?? ''}` }
}

/**
 * Variables that look like a misspelt setting: a few letters from one, or beginning with a word that several settings share (`MQTT_…`). `known` are
 * all that there are, `secrets` those of them that may also come from a file.
 */
export function findUnknown(env: Environment, known: readonly string[], secrets: readonly string[]): UnknownSetting[] {
  const all = [...known, ...secrets.map((name) => `${name}_FILE`)]
  const firstWords = known.map((name) => firstWordOf(name))
  const shared = new Set(firstWords.filter((word, nth) => firstWords.indexOf(word) !== nth))
  return Object.keys(env).flatMap((name) => {
    if (all.includes(name)) return []
    const ofFile = name.endsWith('_FILE') ? name.slice(0, -'_FILE'.length) : undefined
    if (ofFile !== undefined && known.includes(ofFile)) {
      return [{ name, closest: ofFile, fix: `${ofFile} is no secret and is not read from a file. Set ${ofFile} itself.` }]
    }
    const closest = misspeltName(name, all)
    const isOurs = closest !== undefined || (name.includes('_') && shared.has(firstWordOf(name)))
    if (!isOurs) return []
    const fix = closest === undefined ? 'there is no such setting; it does nothing.' : `there is no such setting. Did you mean ${closest}?`
    return [{ name, closest, fix }]
  })
}

function firstWordOf(name: string): string {
  return name.split('_')[0] ?? ''
}
