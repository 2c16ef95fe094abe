// Stripe's requests: application/x-www-form-urlencoded, with brackets for what is nested (`line_items[0][price_data][currency]=eur`).

export type FormValue = string | FormValue[] | { [name: string]: FormValue }

const MAX_DEPTH = 8

export function parseForm(text: string): { [name: string]: FormValue } {
  const root: { [name: string]: FormValue } = Object.create(null)
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name
      .replaceAll(']', '')
      .split('[')
      .map((part) => part.trim())
    if (path.length <= MAX_DEPTH) put(root, path, value)
  }
  return root
}

function put(root: { [name: string]: FormValue }, path: readonly string[], value: string): void {
  let at = root
  for (const part of path.slice(0, -1)) {
    const next = at[part]
    const inner = typeof next === 'object' && !Array.isArray(next) ? next : (Object.create(null) as { [name: string]: FormValue })
    at[part] = inner
    at = inner
  }
  const last = path.at(-1) ?? ''
  // `expand[]=a&expand[]=b`.
  at[last === '' ? String(Object.keys(at).length) : last] = value
}

/** The text at a path; absent where there is none. */
export function textAt(form: FormValue | undefined, ...path: readonly string[]): string | undefined {
  let at: FormValue | undefined = form
  for (const part of path) at = typeof at === 'object' && !Array.isArray(at) ? at[part] : undefined
  return typeof at === 'string' ? at : undefined
}

export function textsIn(form: FormValue | undefined): Record<string, string> {
  if (typeof form !== 'object' || Array.isArray(form)) return {}
  return Object.fromEntries(Object.entries(form).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])))
}

export function numberAt(form: FormValue | undefined, ...path: readonly string[]): number | undefined {
  const text = textAt(form, ...path)
  return text !== undefined && /^-?\d{1,15}$/.test(text) ? Number(text) : undefined
}
