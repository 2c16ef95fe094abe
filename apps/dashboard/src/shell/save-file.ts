/** As long as a browser may take to begin. Assumption. */
const KEPT_MS = 60_000

/** Has the browser save a table that was made on the page. The mark at its beginning shows spreadsheets that it is UTF-8. */
export function saveCsv(name: string, csv: string): void {
  const url = URL.createObjectURL(new Blob(['\ufeff', csv], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS)
}
