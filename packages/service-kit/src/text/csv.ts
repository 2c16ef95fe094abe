// Cells of CSV files (RFC 4180) that are opened in spreadsheets.

/**
 * Text that somebody chose. A spreadsheet takes a cell that begins with one of these for a formula, also after spaces, and some take the
 * full-width forms for the plain ones (OWASP, CSV Injection): an apostrophe before it makes it text. Control characters have no place in a cell.
 */
export function csvText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
  const shown = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').toWellFormed()
  return /^[\s\ufeff\u200b-\u200f\u202a-\u202e\u2060-\u2069]*[=+\-@＝＋－＠]/u.test(shown) ? `'${shown}` : shown
}

export function csvRow(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`
}

function quoted(cell: string): string {
  return /[",;\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
