const MAX_LENGTH = 500

/** Text that a broker may have a hand in, so that it can be stored and shown: no control characters, no half of a character, and not too long. */
export function toShownText(text: string): string {
  const shown = text.slice(0, MAX_LENGTH).replace(/\p{Cc}+/gu, ' ')
  return shown.replace(/ {2,}/g, ' ').toWellFormed()
}
