import { createTheme } from '@mantine/core'
import { DARK_SHADE, LIGHT_SHADE, shadesOf } from './brand/brand-shades.ts'

/** System fonts: a page of a fleet on a private network fetches nothing from elsewhere. */
const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"

/** With the colour of a brand, `#rrggbb`, or our own. */
export function themeOf(colour: string | null) {
  return createTheme({
    ...(colour === null ? { primaryColor: 'cyan' } : { primaryColor: 'brand', colors: { brand: shadesOf(colour) } }),
    primaryShade: { light: LIGHT_SHADE, dark: DARK_SHADE },
    autoContrast: true,
    fontFamily: FONT,
    headings: { fontFamily: FONT, fontWeight: '650' },
    defaultRadius: 'md',
    cursorType: 'pointer',
  })
}
