// Examples in documents. A schema that has none gets one from its parts, so that an answer which holds a documented thing need not show it
// again, and cannot show it differently.

type Schema = Readonly<Record<string, unknown>>

/** The example of a schema, or undefined where some required part of it shows none and leaves a choice. `components` resolves `$ref`. */
export function exampleOf(schema: unknown, components: Readonly<Record<string, Schema>>): unknown {
  if (schema === null || typeof schema !== 'object') return undefined
  const { $ref, examples, example, type, items, properties, required, enum: values } = schema as Schema
  if (typeof $ref === 'string') return exampleOf(components[$ref.slice($ref.lastIndexOf('/') + 1)], components)
  if (Array.isArray(examples)) return examples[0]
  if (example !== undefined) return example
  if ('const' in schema) return schema.const
  if (Array.isArray(values)) return values[0]
  if (type === 'array') {
    const item = exampleOf(items, components)
    return item === undefined ? undefined : [item]
  }
  if (type !== 'object' || properties === undefined) return undefined
  const parts: [string, unknown][] = []
  for (const key of required as readonly string[]) {
    const part = exampleOf((properties as Schema)[key], components)
    if (part === undefined) return undefined
    parts.push([key, part])
  }
  return Object.fromEntries(parts)
}
