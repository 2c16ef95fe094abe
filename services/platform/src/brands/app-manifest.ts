// What a browser needs to install the dashboard like an app (W3C Web Application Manifest), under the name and the colour of the brand.

import type { AppManifest } from '@roadworthy/contracts/platform-v1/brands'

const OWN_COLOUR = '#0b7285'
/** Behind the page while it starts, as the page is in light. */
const BACKGROUND = '#f1f3f5'
/** What home screens show below an icon (Chrome and Android cut longer names). */
const MAX_SHORT_NAME = 12
/** The line of our own mark, in a square of 32. */
const OWN_MARK = 'M6 18h4l3-8 5 13 3-8 1 3h4'
/** Above this relative luminance black is read better than white on a colour (WCAG 2.2: both have a contrast of 4.58 there). */
const LIGHT_ABOVE = 0.179

type Shown = { readonly name: string; readonly colour: string | null }

export function appManifest({ name, colour }: Shown): AppManifest {
  return {
    name,
    short_name: shortName(name),
    id: '/',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: BACKGROUND,
    theme_color: colour ?? OWN_COLOUR,
    icons: [{ src: '/api/v1/brand/icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' }],
  }
}

/** Its first word, and of that whole characters. */
function shortName(name: string): string {
  const characters = [...name]
  return characters.length <= MAX_SHORT_NAME ? name : [...(name.split(/\s+/)[0] ?? name)].slice(0, MAX_SHORT_NAME).join('')
}

/** A square in the colour of the brand with the first letter of its name; without a brand, our own mark. */
export function appIcon({ name, colour }: Shown, isOwn: boolean): string {
  const ground = colour ?? OWN_COLOUR
  const ink = relativeLuminance(ground) > LIGHT_ABOVE ? '#000' : '#fff'
  const letter = name.match(/[\p{L}\p{N}]/u)?.[0]
  const mark =
    isOwn || letter === undefined
      ? `<path d="${OWN_MARK}" fill="none" stroke="${ink}" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"/>`
      : `<text x="16" y="22.5" font-family="system-ui, sans-serif" font-size="19" font-weight="700" text-anchor="middle" fill="${ink}">${letter.toLocaleUpperCase('en')}</text>`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${ground}"/>${mark}</svg>`
}

/** Of `#rrggbb`, 0 to 1 (WCAG 2.2, "relative luminance"). */
function relativeLuminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
