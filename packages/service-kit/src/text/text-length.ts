/** In code points, which `maxLength` of JSON Schema counts: an emoji is one character, though JavaScript's `length` of it is two. */
export function isLonger(text: string, limit: number): boolean {
  return text.length > limit && (text.length > 2 * limit || [...text].length > limit)
}
