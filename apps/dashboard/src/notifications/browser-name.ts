import { t } from '../text/translate.ts'

/** The first that fits: browsers name those they descend from as well. */
const BROWSERS: readonly (readonly [mark: RegExp, name: string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const SYSTEMS: readonly (readonly [mark: RegExp, name: string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/** `Firefox on Linux`: enough for a person to distinguish their browsers. */
export function browserName(userAgent: string): string {
  const nameIn = (known: typeof BROWSERS) => known.find(([mark]) => mark.test(userAgent))?.[1]
  const [browser, system] = [nameIn(BROWSERS) ?? t('Browser'), nameIn(SYSTEMS)]
  return system === undefined ? browser : t('{browser} on {system}', { browser, system })
}
