/** PostgreSQL stores no NUL, and what it cannot be asked for is nothing's name. Bodies with one are refused; of paths and queries this is asked. */
export function isStorable(text: string | undefined): boolean {
  return text === undefined || (!text.includes('\u0000') && text.isWellFormed())
}
