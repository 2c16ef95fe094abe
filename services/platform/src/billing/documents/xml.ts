// XML as text, of the little that an invoice needs: elements with text or elements in them, and attributes.

/** What XML 1.0 §2.2 cannot hold, not even escaped: most control characters, halves of surrogate pairs, U+FFFE and U+FFFF. */
const UNHOLDABLE = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }

/** One line of text, whatever it was: what XML cannot hold is removed, and white space (tabs and ends of lines too) becomes single spaces. */
export function toXmlText(text: string): string {
  return text.replace(UNHOLDABLE, '').replace(/\s+/g, ' ').trim()
}

/** An element with text. Absent where there is no text: an empty element breaks the rules of EN 16931. */
export function textElement(name: string, text: string | undefined, attributes: Readonly<Record<string, string>> = {}): string | undefined {
  const shown = toXmlText(text ?? '')
  return shown === '' ? undefined : `${openingTag(name, attributes)}${escaped(shown)}${closingTag(name)}`
}

/** An element with elements. Absent where there are none. */
export function element(
  name: string,
  children: readonly (string | undefined)[],
  attributes: Readonly<Record<string, string>> = {},
): string | undefined {
  const shown = children.filter((child) => child !== undefined)
  return shown.length === 0 ? undefined : `${openingTag(name, attributes)}${shown.join('')}${closingTag(name)}`
}

export function openingTag(name: string, attributes: Readonly<Record<string, string>>): string {
  return `<${name}${attributesText(attributes)}>`
}

export function closingTag(name: string): string {
  return `</${name}>`
}

function attributesText(attributes: Readonly<Record<string, string>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escaped(toXmlText(value))}"`)
    .join('')
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character)
}
