// Fields of a form that differ by operator and gateway: what they are called, and what a body has of them.

/** As typed: an empty text is no value. */
export type Values = Readonly<Record<string, string | number>>

export type Field = {
  /** As on the wire. */
  readonly name: string
  readonly label: string
  readonly description?: string
  readonly kind: 'text' | 'secret' | 'number' | 'zone' | 'choice'
  readonly isRequired?: boolean
  readonly choices?: readonly { readonly value: string; readonly label: string }[]
}

/** Of these fields what has a value. */
export function given(fields: readonly Field[], values: Values): Record<string, string | number> {
  return Object.fromEntries(
    fields.flatMap(({ name }) => {
      const value = values[name]
      const trimmed = typeof value === 'string' ? value.trim() : value
      return trimmed === undefined || trimmed === '' ? [] : [[name, trimmed]]
    }),
  )
}

export function isComplete(fields: readonly Field[], values: Values): boolean {
  const filled = given(fields, values)
  return fields.every(({ name, isRequired = false }) => !isRequired || filled[name] !== undefined)
}
