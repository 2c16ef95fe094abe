import { type CSSVariablesResolver, createTheme, DEFAULT_THEME, Loader, PasswordInput } from '@mantine/core'
import { DARK_SHADE, LIGHT_SHADE, type Shades, shadesOf, textOnTint } from './brand/brand-shades.ts'
import { t } from './text/translate.ts'

/** System fonts: a page of a fleet on a private network fetches nothing from elsewhere. */
const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
const OWN_COLOUR = '#0b7285'
/** What states and messages are shown in. */
const STATE_COLOURS = ['red', 'orange', 'yellow', 'green', 'blue', 'violet'] as const
/** Of the default palette: strong, and not dark yet. */
const STATE_SHADE = 7

/** With the colour of a brand, `#rrggbb`, or our own. Mantine's own shades leave white on light buttons, and orange on a tint, too weak to be read. */
export function themeOf(colour: string | null) {
  return createTheme({
    primaryColor: 'brand',
    colors: { ...Object.fromEntries(STATE_COLOURS.map((name) => [name, stateShades(name)])), brand: shadesOf(colour ?? OWN_COLOUR) },
    primaryShade: { light: LIGHT_SHADE, dark: DARK_SHADE },
    autoContrast: true,
    fontFamily: FONT,
    headings: { fontFamily: FONT, fontWeight: '650' },
    defaultRadius: 'md',
    cursorType: 'pointer',
    respectReducedMotion: true,
    // Without a role, its label is not read out.
    components: {
      Loader: Loader.extend({ defaultProps: { role: 'status' } }),
      // Mantine names its button in English, and leaves it out where a keyboard goes (WCAG 2.2 §2.1.1).
      PasswordInput: PasswordInput.extend({
        defaultProps: {
          visibilityToggleFocusable: true,
          visibilityToggleButtonProps: { 'aria-label': t('Show or hide what is typed') },
        },
      }),
    },
  })
}

/** Greys of small print and of placeholders that can be read on a page and on a panel (WCAG 2.2 §1.4.3), and words on a tint of their own colour. */
export const cssVariables: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5c636a',
    '--mantine-color-placeholder': '#6b7278',
    // A grey badge on the grey page.
    '--mantine-color-gray-light': 'var(--mantine-color-gray-3)',
    ...Object.fromEntries(
      [...STATE_COLOURS, 'brand'].map((name) => [`--mantine-color-${name}-light-color`, textOnTint(colors[name] as unknown as Shades)]),
    ),
  },
  dark: { '--mantine-color-dimmed': '#a6adb4', '--mantine-color-placeholder': '#a6adb4' },
})

function stateShades(name: (typeof STATE_COLOURS)[number]): Shades {
  return shadesOf(DEFAULT_THEME.colors[name][STATE_SHADE])
}
