// Ten shades of one colour, as the theme wants them, of which those that carry text or are text can be read whatever the colour is.

type Rgb = readonly [number, number, number]

const WHITE: Rgb = [255, 255, 255]
const BLACK: Rgb = [0, 0, 0]
/** What the shades of links and buttons stand on, in the light and the dark scheme. */
const DARK_PAGE: Rgb = [46, 46, 46]
/** WCAG 2.2 §1.4.3. */
const MIN_CONTRAST = 4.5
const STEPS = 50
/** How much of white, and then of black, is in each shade. */
const TINTS = [0.92, 0.82, 0.66, 0.5, 0.34] as const
const DIMMED = [0, 0.12, 0.24, 0.36, 0.48] as const
/** Of buttons, which carry white text in both schemes, and of links in the light one. */
export const LIGHT_SHADE = 9
export const DARK_SHADE = 5
/** Behind badges and messages in the light scheme. */
const TINT_SHADE = 1
/** How much darker a button is under the pointer. */
const HOVER_DIM = 0.12
/** Of links in the dark scheme. */
export const DARK_LINK_SHADE = 4

export type Shades = readonly [string, string, string, string, string, string, string, string, string, string]

/** Of a colour `#rrggbb`. White can be read on the shades of buttons; that of the dark scheme is as light as this allows. */
export function shadesOf(colour: string): Shades {
  const base = rgbOf(colour)
  const shades = [...TINTS.map((share) => mix(base, WHITE, share)), ...DIMMED.map((share) => mix(base, BLACK, share))]
  shades[LIGHT_SHADE] = untilReadable(base, BLACK, WHITE)
  shades[DARK_SHADE] = lightestUnderWhite(shades[LIGHT_SHADE])
  shades[DARK_LINK_SHADE] = untilReadable(base, WHITE, DARK_PAGE)
  // A button under the pointer has the shade beside its own.
  shades[LIGHT_SHADE - 1] = mix(shades[LIGHT_SHADE], BLACK, HOVER_DIM)
  shades[DARK_SHADE + 1] = mix(shades[DARK_SHADE], BLACK, HOVER_DIM)
  return shades.map(hexOf) as unknown as Shades
}

/** Of words on the tint of the same colour, in the light scheme. */
export function textOnTint(shades: Shades): string {
  return hexOf(untilReadable(rgbOf(shades[LIGHT_SHADE]), BLACK, rgbOf(shades[TINT_SHADE])))
}

export function contrastOf(one: string, other: string): number {
  return contrast(rgbOf(one), rgbOf(other))
}

function untilReadable(colour: Rgb, towards: Rgb, page: Rgb): Rgb {
  for (let step = 0; step < STEPS; step++) {
    const mixed = mix(colour, towards, step / STEPS)
    if (contrast(mixed, page) >= MIN_CONTRAST) return mixed
  }
  return towards
}

function lightestUnderWhite(colour: Rgb): Rgb {
  for (let step = STEPS; step > 0; step--) {
    const mixed = mix(colour, WHITE, step / STEPS)
    if (contrast(mixed, WHITE) >= MIN_CONTRAST) return mixed
  }
  return colour
}

function mix(colour: Rgb, other: Rgb, share: number): Rgb {
  return colour.map((value, i) => Math.round(value * (1 - share) + (other[i] ?? 0) * share)) as unknown as Rgb
}

function contrast(one: Rgb, other: Rgb): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

/** WCAG 2.2, "relative luminance". */
function luminance(colour: Rgb): number {
  const [red = 0, green = 0, blue = 0] = colour.map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function rgbOf(colour: string): Rgb {
  return [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16)) as unknown as Rgb
}

function hexOf(colour: Rgb): string {
  return `#${colour.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}
