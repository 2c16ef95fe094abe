// Texts of others, fit for one line of a message.

/** Without control characters, and without those that turn the direction of what stands after them (Unicode UAX #9, explicit formatting). */
export function oneLine(text: string): string {
  return text
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}

export function bounded(text: string, maxCharacters: number): string {
  return text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters - 1).toWellFormed()}…`
}
