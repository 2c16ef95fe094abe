// Checks values against schemas as the routes do. A body with many rows is checked row by row with it, so that each row gets its own reason.

import { Ajv, type Options as AjvOptions } from 'ajv'
import addFormats from 'ajv-formats'
import { isOneLine } from '../text/one-line.ts'
import { closeBodySchema } from './closed-body.ts'
import type { Problem } from './problem.ts'
import { type SchemaError, validationProblem } from './validation-problem.ts'

const ajvOptions: AjvOptions = {
  removeAdditional: false,
  useDefaults: true,
  allErrors: false,
  verbose: true,
  strict: false,
  allowUnionTypes: true,
  // Optimized code was no faster to run, and took twice as long to compile: 3.4 against 1.6 ms for each of 397 schemas.
  code: { optimize: false },
}

export function createAjv(options: AjvOptions): Ajv {
  const ajv = new Ajv({ ...ajvOptions, ...options })
  // ajv-formats is CommonJS; under Node's module resolution its default export is the module object.
  ;(addFormats as unknown as { default: (ajv: Ajv) => void }).default(ajv)
  return ajv.addFormat('one-line', isOneLine)
}

/** Answers what is wrong with a part of a body, and sets the defaults of the schema in a part that is right. Unknown fields are refused. */
export function createSchemaCheck(schema: object): (value: unknown) => Problem | undefined {
  const validate = createAjv({ coerceTypes: false }).compile(closeBodySchema(schema as Record<string, unknown>))
  return (value) => (validate(value) ? undefined : validationProblem(validate.errors as readonly SchemaError[], 'body'))
}
