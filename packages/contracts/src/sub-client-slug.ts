/** Ids of sub-clients: they appear in URLs, MQTT topics and filters, and never change (Spec gap §2.1). */
const SLUG = /^[a-z0-9-]{1,64}$/
const MAX_SLUG_LENGTH = 64

export function isSlug(text: string): boolean {
  return SLUG.test(text)
}

/** Letters that Unicode does not decompose into a base letter and a mark. */
const FOLDED: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
}

/** A slug that reads like the name, or `sub-client` when nothing of the name can be written in ASCII. */
export function slugFromName(name: string): string {
  const folded = name
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[ßæœøđðłþħı]/g, (letter) => FOLDED[letter] ?? '')
  const slug = folded
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, MAX_SLUG_LENGTH)
    .replace(/-+$/, '')
  return slug === '' ? 'sub-client' : slug
}

/** The n-th candidate when the slug is taken: `acme`, `acme-2`, `acme-3`, … */
export function numberedSlug(slug: string, n: number): string {
  if (n === 1) return slug
  const suffix = `-${n}`
  return `${slug.slice(0, MAX_SLUG_LENGTH - suffix.length).replace(/-+$/, '')}${suffix}`
}
