// Whole numbers of a query are written in digits. Ajv takes whatever `Number()` of JavaScript reads, so that `limit=0x10` was 16, and `limit=1e2` 100.

import type { Validate } from './compile-on-first-use.ts'

const DIGITS = /^-?[0-9]+$/

/** For parts of a request that arrive as texts: refuses another spelling of a whole number before `validate` would read it. */
export function refuseOtherSpellings(schema: object, validate: Validate): Validate {
  const { properties = {} } = schema as { readonly properties?: Readonly<Record<string, { readonly type?: unknown }>> }
  const names = Object.keys(properties).filter((name) => properties[name]?.type === 'integer')
  if (names.length === 0) return validate
  const check: Validate = (value) => {
    const given = value as Readonly<Record<string, unknown>>
    const wrong = names.find((name) => typeof given[name] === 'string' && !DIGITS.test(given[name]))
    const isValid = wrong === undefined && validate(value)
    check.errors = wrong === undefined ? (validate.errors ?? null) : [notInDigits(wrong, given[wrong])]
    return isValid
  }
  return check
}

/** As Ajv reports a text that is no number at all. */
function notInDigits(name: string, data: unknown): NonNullable<Validate['errors']>[number] & { readonly data: unknown } {
  const params = { type: 'integer' }
  return { keyword: 'type', instancePath: `/${name}`, schemaPath: `#/properties/${name}/type`, params, message: 'must be integer', data }
}
