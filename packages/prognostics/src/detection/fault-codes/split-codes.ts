// Some senders put all their codes into one text. What was read of such a text is its first code, and the others may be the grave ones.

const SEPARATOR = /[,;|]/
const ANY_SEPARATOR = /[\s,;|]+/
/** A whole code, and nothing that describes it: `P0301`, `P0217-64`, `P021764`. */
const J2012 = /^[PCBU][0-3][0-9A-F]{3}(?:[-:./_]?[0-9A-F]{2})?$/i
const SPN_FMI = /^(?:SPN[\s:#=_-]*\d{1,6}[\s:/_.-]*FMI[\s:#=_-]*|\d{1,6}[/.-])\d{1,2}$/i

/** Each code of a text that lists several and nothing else; any other text as it is. */
export function splitCodes(text: string): readonly string[] {
  if (!ANY_SEPARATOR.test(text)) return [text]
  const words = text.split(ANY_SEPARATOR).filter(Boolean)
  if (words.length > 1 && words.every((word) => J2012.test(word))) return words
  const parts = text
    .split(SEPARATOR)
    .map((part) => part.trim())
    .filter(Boolean)
  return parts.length > 1 && parts.every((part) => J2012.test(part) || SPN_FMI.test(part)) ? parts : [text]
}
