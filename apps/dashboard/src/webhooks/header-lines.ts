// Headers that are sent along, as lines `Name: value` of a text field.

/** The headers, or the first line that is none. */
export function readHeaderLines(text: string): { headers: Record<string, string> } | { badLine: string } {
  const headers: Record<string, string> = {}
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (line === '') continue
    const colon = line.indexOf(':')
    if (colon <= 0 || line.slice(colon + 1).trim() === '') return { badLine: line }
    headers[line.slice(0, colon).trim()] = line.slice(colon + 1).trim()
  }
  return { headers }
}
