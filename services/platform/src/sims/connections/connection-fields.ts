// What a connection needs by operator. On the wire its names are written as all names of this surface are (`basket_id`), inside as the adapters
// have them (`basketId`).

import { Problem } from '@roadworthy/service-kit/http/problem'
import { closestName } from '@roadworthy/service-kit/text/closest-name'
import type { TObject } from 'typebox'
import { Value } from 'typebox/value'
import { connectionProblems, operatorForms } from '../operators/open-operator.ts'
import type { OperatorId } from '../operators/operator.ts'
import type { StoredSettings } from './connection.ts'
import type { OperatorCredentials } from './operator-secrets.ts'

type Fields = Readonly<Record<string, string | number>>

const toCamel = (name: string) => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
const toSnake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const wrong = (field: string, message: string) => new Problem('invalid_request', message, { details: { in: 'body', field } })

/** With defaults for what is left out. Throws `invalid_request` that names what this operator has not. */
export function readSettings(operator: OperatorId, given: Fields): StoredSettings {
  const form = operatorForms[operator].settings
  return Value.Default(form, readFields(operator, 'settings', form, given)) as StoredSettings
}

export function readCredentials(operator: OperatorId, given: Readonly<Record<string, string>>): OperatorCredentials {
  return readFields(operator, 'credentials', operatorForms[operator].secrets, given) as OperatorCredentials
}

export function toWireFields<T>(fields: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [toSnake(name), value]))
}

function readFields(operator: OperatorId, group: 'settings' | 'credentials', form: TObject, given: Fields): Fields {
  const known = Object.keys(form.properties).map(toSnake)
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown !== undefined) {
    const closest = closestName(unknown, known)
    const hint = closest === undefined ? `It has ${known.join(', ')}.` : `Did you mean "${closest}"?`
    throw wrong(`${group}.${unknown}`, `${operator} has no "${unknown}" in "${group}". ${hint}`)
  }
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [toCamel(name), value]))
}

/** Throws `invalid_request` in words that hold no credential. */
export function checkFields(
  operator: OperatorId,
  given: { readonly baseUrl: string; readonly settings: StoredSettings; readonly credentials: OperatorCredentials },
): void {
  const { baseUrl, settings, credentials } = given
  for (const [group, form, fields] of [
    ['credentials', operatorForms[operator].secrets, credentials],
    ['settings', operatorForms[operator].settings, settings],
  ] as const) {
    const missing = (form.required ?? []).find((name) => fields[name] === undefined)
    if (missing !== undefined) throw wrong(`${group}.${toSnake(missing)}`, `${operator} needs "${toSnake(missing)}" in "${group}".`)
  }
  const [problem] = connectionProblems({ operator, baseUrl, settings, secrets: credentials })
  if (problem === undefined) return
  // What stands first is the path of the field; the rest may hold what was given.
  const [path = 'settings', ...words] = problem.split(' ')
  const field = toSnake(path.replace(/^secrets/, 'credentials'))
  throw wrong(field, `${[field, ...words].join(' ')}.`)
}
