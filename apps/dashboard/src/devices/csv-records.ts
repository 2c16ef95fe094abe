// Tables as spreadsheets write them: CSV (RFC 4180), separated by commas, semicolons or tabs.

const SEPARATORS = [',', ';', '\t'] as const

/** `number`: as a spreadsheet counts rows, from 1. */
export type CsvRecord = { readonly number: number; readonly cells: readonly string[] }

/** Records that hold anything, with the space around their cells taken away. */
export function readCsv(text: string): CsvRecord[] {
  const whole = text.replace(/^\ufeff/, '')
  const separator = separatorOf(whole)
  // A quoted cell, or a plain one; then what ends it.
  const cellForm = new RegExp(
    `(?:"([^"]*(?:""[^"]*)*)"[^${separator}\\r\\n]*|([^${separator}\\r\\n]*))(${separator}|\\r\\n|\\r|\\n|$)`,
    'y',
  )
  const records: CsvRecord[] = []
  let cells: string[] = []
  let number = 1
  while (true) {
    const [, quoted, plain = '', end = ''] = cellForm.exec(whole) ?? []
    cells.push((quoted?.replaceAll('""', '"') ?? plain).trim())
    if (end === separator) continue
    if (cells.some((cell) => cell !== '')) records.push({ number, cells })
    if (end === '') return records
    cells = []
    number++
  }
}

/** Of the first line, whichever it holds most of. */
function separatorOf(text: string): string {
  const [header = ''] = text
    .replaceAll(/"[^"]*"/g, '')
    .trimStart()
    .split(/[\r\n]/, 1)
  const countOf = (separator: string) => header.split(separator).length
  return SEPARATORS.reduce((most, each) => (countOf(each) > countOf(most) ? each : most))
}
