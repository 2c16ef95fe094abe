// The Kafka client compiles validators for some forty kinds of options when it is loaded, of which a reader uses a dozen: nearly half of the processor
// time that loading it takes. From here on each is compiled when it is first called. To be imported before the client, by a thread that has
// nothing else to validate.

import { createRequire } from 'node:module'

type Validate = { (value: unknown): boolean; errors?: unknown }
type Compile = (this: unknown, schema: unknown) => Validate

/** The client's own, wherever it is installed. */
const requireFromClient = createRequire(import.meta.resolve('@platformatic/kafka'))
const { Ajv2020 } = requireFromClient('ajv/dist/2020.js') as { Ajv2020: { prototype: { compile: Compile } } }
const compileNow = Ajv2020.prototype.compile

Ajv2020.prototype.compile = function (schema) {
  let compiled: Validate | undefined
  const validate: Validate = (value) => {
    compiled ??= compileNow.call(this, schema)
    const isValid = compiled(value)
    validate.errors = compiled.errors
    return isValid
  }
  return validate
}
