/** Whether a stored text can contain it: PostgreSQL stores no U+0000 and takes none as a parameter. */
export function canBeStored(text: string | undefined): boolean {
  return text === undefined || (!text.includes('\u0000') && text.isWellFormed())
}
