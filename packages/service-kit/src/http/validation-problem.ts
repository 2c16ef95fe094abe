// What a schema has against a request, in words that name the field and what would be right. Ajv's own wording is for those who have
// the schema before them.

import { unknownFieldProblem } from './closed-body.ts'
import { Problem } from './problem.ts'

/** What is used of an error of Ajv, whose option `verbose` gives the value and its schema. */
export type SchemaError = {
  readonly keyword: string
  readonly instancePath: string
  readonly params: Readonly<Record<string, unknown>>
  readonly message?: string
  readonly parentSchema?: Readonly<Record<string, unknown>>
  readonly data?: unknown
}

const MAX_SHOWN_LENGTH = 64

/** `part` is where the schema was held against: `body`, `querystring`, `params` or `headers`. */
export function validationProblem(errors: readonly SchemaError[], part: string | undefined): Problem {
  const where = part ?? 'body'
  const found = errors.findLast(isOfAlternatives)
  const error = found === undefined ? errors[0] : (errorOfOneForm(errors, found) ?? found)
  if (error === undefined) return new Problem('invalid_request', `The ${nameOfPart(where)} is not valid.`, { details: { in: where } })
  const unknown = unknownFieldOf(error)
  if (unknown !== undefined) return unknownFieldProblem(unknown, knownFields(error), partsOf(error.instancePath), where)
  const field = fieldOf(error)
  const subject = field === '' ? `The ${nameOfPart(where)}` : `"${field}"`
  return new Problem('invalid_request', `${subject} ${complaintOf(error)}.`, {
    details: { in: where, ...(field === '' ? {} : { field }) },
  })
}

function isOfAlternatives({ keyword }: SchemaError): boolean {
  return keyword === 'anyOf' || keyword === 'oneOf'
}

/**
 * Of alternatives Ajv reports what is wrong with each, and in the end that none fits. Where all but one are of another type (`null`), that
 * one was meant, and what is wrong with it is of more use.
 */
function errorOfOneForm(errors: readonly SchemaError[], ofAll: SchemaError): SchemaError | undefined {
  const [first, ...others] = errors.filter((error) => {
    return !isOfAlternatives(error) && !(error.keyword === 'type' && error.instancePath === ofAll.instancePath)
  })
  return others.length === 0 ? first : undefined
}

/** A misspelt field comes before a missing one: more often than not the two are the same. */
function unknownFieldOf(error: SchemaError): string | undefined {
  const { keyword, params, parentSchema = {}, data } = error
  if (keyword === 'additionalProperties') return String(params['additionalProperty'])
  if (keyword !== 'required' || parentSchema['additionalProperties'] !== false) return undefined
  return Object.keys(data as object).find((name) => !knownFields(error).includes(name))
}

function knownFields({ parentSchema = {} }: SchemaError): readonly string[] {
  return Object.keys((parentSchema['properties'] ?? {}) as object)
}

function nameOfPart(part: string): string {
  if (part === 'querystring') return 'query'
  return part === 'params' ? 'path' : part
}

/** `vehicle.year`; of a field that is missing or whose name is wrong, the field itself. */
function fieldOf({ instancePath, params }: SchemaError): string {
  const child = params['missingProperty'] ?? params['propertyName']
  return [...partsOf(instancePath), ...(typeof child === 'string' ? [child] : [])].join('.')
}

function partsOf(instancePath: string): string[] {
  return instancePath.split('/').slice(1).map(unescaped)
}

/** RFC 6901 §4. */
function unescaped(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}

function complaintOf(error: SchemaError): string {
  const { keyword, params, parentSchema = {} } = error
  switch (keyword) {
    case 'required':
      return 'is required'
    case 'type':
      return `must be ${listed([params['type']].flat().map(nameOfType), 'or')}, not ${nameOfValue(error.data)}`
    case 'enum':
      return `must be ${listed((params['allowedValues'] as unknown[]).map(quoted), 'or')}${insteadOf(error.data)}`
    case 'const':
      return `must be ${quoted(params['allowedValue'])}${insteadOf(error.data)}`
    case 'pattern':
      return `must ${formOf(String(params['pattern']), parentSchema)}${insteadOf(error.data)}`
    case 'format':
      return formatRule(String(params['format']), error.data)
    case 'anyOf':
    case 'oneOf':
      return `must be ${listed(typesOf(parentSchema[keyword]).map(nameOfType), 'or')} in one of the forms that are documented`
    case 'minProperties':
    case 'maxProperties':
      return fieldsRule(error, keyword)
    case 'uniqueItems':
      return 'must have no item twice'
    default:
      return limitRule(error) ?? error.message ?? 'is not valid'
  }
}

/** An empty object is often a change whose fields were left out by mistake: their names are of more use than their number. */
function fieldsRule({ parentSchema = {}, params }: SchemaError, keyword: 'minProperties' | 'maxProperties'): string {
  const limit = Number(params['limit'])
  const known = Object.keys((parentSchema['properties'] ?? {}) as object)
  if (keyword === 'minProperties' && known.length > 0) return `must have at least ${limit} of ${known.join(', ')}`
  return `must have at ${keyword === 'minProperties' ? 'least' : 'most'} ${limit} ${limit === 1 ? 'field' : 'fields'}`
}

/** Both ends where there are two: who has to change a value wants to know where to. */
function limitRule({ keyword, parentSchema = {} }: SchemaError): string | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, minLength, maxLength, minItems, maxItems } = parentSchema
  if (['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].includes(keyword)) {
    if (exclusiveMinimum !== undefined) return `must be more than ${exclusiveMinimum}`
    if (exclusiveMaximum !== undefined) return `must be less than ${exclusiveMaximum}`
    return `must be ${span(minimum, maximum, ['from', 'to'])}`
  }
  if (keyword === 'minLength' && minLength === 1 && maxLength === undefined) return 'must not be empty'
  if (keyword === 'minLength' || keyword === 'maxLength') return `must have ${span(minLength, maxLength)} characters`
  if (keyword === 'minItems' || keyword === 'maxItems') return `must have ${span(minItems, maxItems)} items`
  return undefined
}

function span(least: unknown, most: unknown, [from, to] = ['', 'to']): string {
  if (least === undefined) return `at most ${most}`
  if (most === undefined) return `at least ${least}`
  return `${from} ${least} ${to} ${most}`.trim()
}

/** The forms that our schemas ask for, in words. A pattern itself is for programs and is never shown. */
const patternRules: Readonly<Record<string, string>> = {
  '\\S': 'have more in it than blanks',
  '^[0-9]{14,16}$': 'be 14 to 16 digits',
  '^[0-9]{3,20}$': 'be 3 to 20 digits',
  '^[0-9]{6,15}$': 'be 6 to 15 digits',
  '^[0-9]{7,15}$': 'be 7 to 15 digits',
  '^[0-9]{18,20}$': 'be 18 to 20 digits',
  '^[a-z0-9-]{1,64}$': 'be 1 to 64 of a-z, 0-9 and hyphen',
  '^[A-Za-z0-9]{1,17}$': 'be 1 to 17 letters and digits',
  '^[1-9][0-9]{0,5}[smhd]$': 'be a number of seconds, minutes, hours or days, such as 15m',
  '^\\d{4}-\\d{2}$': 'be a year and a month',
  '^\\d{4}-\\d{2}-\\d{2}$': 'be a day, such as 2026-01-31',
  '^\\d{4}-\\d{2}(-\\d{2})?$': 'be a day or a month, such as 2026-01-31 or 2026-01',
  '^[\\x20-\\x7e]{1,200}$': 'be 1 to 200 printable ASCII characters',
  '^[\\x21-\\x7e]{1,200}$': 'be 1 to 200 printable ASCII characters, no blank among them',
  '^[\\x21-\\x7e]{1,500}$': 'be 1 to 500 printable ASCII characters, no blank among them',
  '^[\\x21-\\x39\\x3b-\\x7e]{1,200}$': 'be 1 to 200 printable ASCII characters, no blank and no colon among them',
  '^[0-9a-f]{64}$': 'be 64 hexadecimal digits in lower case',
  '^#[0-9A-Fa-f]{6}$': 'be a colour as #rrggbb, such as #0a6e5c',
  '^[A-Z]{3}$': 'be a currency of ISO 4217, three capital letters',
  '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$': 'be a time in UTC with milliseconds, such as 2026-01-31T08:15:00.000Z',
  '^[A-Z]{2}$': 'be a country of ISO 3166-1, two capital letters',
  '^\\d{1,9}(\\.\\d{1,6})?$': 'be a decimal number as text, with at most 6 decimals',
  '^\\d{1,12}(\\.\\d{1,6})?$': 'be a decimal number as text, with at most 6 decimals',
  '^-?\\d{1,5}(\\.\\d{1,4})?$': 'be a percentage as text, with at most 4 decimals',
  '^\\d{1,3}(\\.\\d{1,4})?$': 'be a percentage as text, with at most 4 decimals',
  '^([A-Z0-9/-]*[A-Z/-])?$': 'be capitals, digits, hyphens and slashes, the last of them no digit',
  '^\\S+$': 'have no blank in it',
  '^evt-[a-z0-9]{1,40}$': 'be the id of an event',
  '^inc-[a-z0-9]{1,40}$': 'be the id of an incident',
  '^nr[lp]-[a-z0-9]{1,40}$': 'be the id of a notification rule',
  '^(usr|nch)-[a-z0-9]{1,40}$': 'be the id of a user or of a notification channel',
  '^vgr-[a-z0-9]{1,40}$': 'be the id of a vehicle group',
  '^[A-Za-z0-9_-]{87}$': 'be the public key of a browser, 87 characters of base64url',
  '^[A-Za-z0-9_-]{22}$': 'be the authentication secret of a browser, 22 characters of base64url',
  '^[0-9]{1,20}:[A-Za-z0-9_-]{20,100}$': 'be the token of a bot, as @BotFather gives it',
  '^(-?[0-9]{1,20}|@[A-Za-z0-9_]{4,40})$': 'be the number of a chat, or @channelname',
  '^[-_A-Za-z0-9]{1,64}$': 'be letters, digits, - and _, 64 at most',
  '^[-_A-Za-z0-9.=]{1,200}$': 'be an access token: letters, digits, -, _, . and =',
  '^[a-z0-9_]+([ -][a-z0-9_]+)*$': 'be words of a-z, 0-9 and _, with one blank or - between them',
  '^([01][0-9]|2[0-3]):(00|15|30|45)$': 'be a time in quarters of an hour, such as 08:15',
  '^(([01][0-9]|2[0-3]):(00|15|30|45)|24:00)$': 'be a time in quarters of an hour, such as 17:45, or 24:00',
  '^[a-z][a-z0-9]*([ _-][a-z0-9]+)*$': 'be words of a-z and 0-9, begin with a letter, with one blank, _ or - between them',
}

function patternRule(pattern: string): string {
  return patternRules[pattern] ?? 'have the form that is documented'
}

/** What a schema of TypeBox has against a value that must not be shown, as a secret. */
export function complaintWithoutValue({ keyword, params, message }: Pick<SchemaError, 'keyword' | 'params' | 'message'>): string {
  return keyword === 'pattern' ? `must ${patternRule(String(params['pattern']))}` : (message ?? 'is not valid')
}

/** With one example: the rule's own, or the schema's. */
function formOf(pattern: string, schema: Readonly<Record<string, unknown>>): string {
  const rule = patternRule(pattern)
  return rule.includes(', such as ') ? rule : `${rule}${exampleOf(schema)}`
}

function exampleOf({ examples }: Readonly<Record<string, unknown>>): string {
  return Array.isArray(examples) && examples.length > 0 ? `, such as ${quoted(examples[0])}` : ''
}

const typeNames: Readonly<Record<string, string>> = {
  object: 'an object',
  array: 'an array',
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  null: 'null',
}

function nameOfType(type: unknown): string {
  return typeNames[String(type)] ?? String(type)
}

function typesOf(alternatives: unknown): string[] {
  const types = (Array.isArray(alternatives) ? alternatives : []).flatMap((each: { type?: unknown }) => each.type ?? [])
  return types.length === 0 ? ['value'] : [...new Set(types.map(String))]
}

/** What is wrong with a name that is not one line cannot be seen in it, and turns the rest of the sentence. */
function formatRule(format: string, value: unknown): string {
  if (format === 'one-line') return 'must be one line of text, without control characters and marks that turn its direction'
  return `must be ${nameOfFormat(format)}${insteadOf(value)}`
}

function nameOfFormat(format: string): string {
  if (format === 'date-time') return 'an RFC 3339 date and time with an offset, such as 2026-01-31T08:15:00.000Z'
  if (format === 'email') return 'an e-mail address, such as fleet@example.com'
  return `a valid ${format}`
}

/** A text, unless it is long: then what kind of thing it is. Numbers and words of a query or path arrive as texts. */
function nameOfValue(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object') return 'an object'
  if (typeof value === 'string' && value.length > MAX_SHOWN_LENGTH) return 'a string'
  return quoted(value)
}

function insteadOf(value: unknown): string {
  return value === undefined ? '' : `, not ${nameOfValue(value)}`
}

function quoted(value: unknown): string {
  return value === null || typeof value === 'boolean' ? String(value) : JSON.stringify(value)
}

function listed(items: readonly string[], last: 'and' | 'or'): string {
  if (items.length < 2) return items.join('') || 'none'
  return `${items.slice(0, -1).join(', ')} ${last} ${items.at(-1)}`
}
