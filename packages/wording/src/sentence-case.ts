/** `oil_pressure` and `lubrication` as the beginning of a line. */
export function sentenceCase(word: string): string {
  const words = word.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
