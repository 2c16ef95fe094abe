// From a text with gaps to what recognises it: `{signal} {value} is above {limit}`.

export type Pattern = {
  readonly text: string
  /** Of the gaps, in their order. */
  readonly names: readonly string[]
  /** What stands before the first gap, for a quick look. */
  readonly beginning: string
  readonly expression: RegExp
}

/** `sourceOf` gives the expression of a gap by its name. Throws on a gap that it does not know: phrases are part of the code. */
export function patternOf(text: string, sourceOf: (gap: string) => string | undefined): Pattern {
  const names: string[] = []
  const source = text.split(/\{(\w+)\}/).map((part, at) => {
    if (at % 2 === 0) return literally(part)
    const gap = sourceOf(part)
    if (gap === undefined) throw new Error(`No gap is called ${part}: ${text}`)
    names.push(part)
    return `(${gap})`
  })
  return { text, names, beginning: text.slice(0, text.indexOf('{')), expression: new RegExp(`^${source.join('')}$`) }
}

/** What the pattern finds in its gaps. */
export function gapsIn({ beginning, expression }: Pattern, text: string): readonly string[] | undefined {
  return text.startsWith(beginning) ? expression.exec(text)?.slice(1) : undefined
}

export function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}
