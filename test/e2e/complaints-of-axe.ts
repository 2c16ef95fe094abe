// For tests: what a page that is open breaks of the rules for accessibility, and whether it fits.

import axe from 'axe-core'
import type { Page } from 'playwright-core'

export type Look = { readonly colorScheme: 'light' | 'dark'; readonly width: number }

const DESK = 1280
const PHONE = 390
const HEIGHT = 900

/** Both colours and both widths, once each: for what a page shows in a state of its own. Every page is seen in every look by `every-page-in-the-dashboard`. */
const EACH_ONCE: readonly Look[] = [
  { colorScheme: 'light', width: DESK },
  { colorScheme: 'dark', width: PHONE },
]

/** In an order that changes one of the two at a time. */
export const everyLook: readonly Look[] = [
  { colorScheme: 'light', width: DESK },
  { colorScheme: 'dark', width: DESK },
  { colorScheme: 'dark', width: PHONE },
  { colorScheme: 'light', width: PHONE },
]

/** All that a colour scheme can change: it is applied by style alone, so the elements, their names and their places are those of the other one. */
const RULES_OF_COLOUR = ['color-contrast', 'link-in-text-block']

/** It would otherwise write out every element that it asks about, with all that is in it, for the few that it complains of. */
const AXE = `${axe.source}; axe.configure({ noHtml: true })`

type LooksOptions = {
  readonly within?: string
  readonly looks?: readonly Look[]
  /** Waits until what is drawn anew for another width or colour has come to rest, where that takes more than what moves. */
  readonly settle?: () => Promise<unknown>
  /** To take a picture. */
  readonly onLook?: (name: string) => Promise<unknown>
}

/**
 * Of the page, or of what the selector finds, once it has come to rest: of a colour that is still changing, the contrast is too low. The page has to be
 * opened with `bypassCSP`. What is wider than the page is cut off on a phone.
 */
export async function complaintsOfAxe(page: Page, within = 'html'): Promise<string[]> {
  await page.evaluate(comeToRest)
  return await runAxe(page, within, [])
}

/**
 * Of the page as it is open, which is shown in each look in turn and left in the first: a page that is loaded for each look would take four times as long
 * and show the same. At each width all rules are asked in one colour, and in the other those that colour decides.
 */
export async function complaintsInLooks(
  page: Page,
  { within = 'html', looks = EACH_ONCE, settle, onLook }: LooksOptions = {},
): Promise<string[]> {
  const found: string[] = []
  const seenWidths = new Set<number>()
  for (const look of looks) {
    const name = `${look.colorScheme} ${look.width}`
    await show(page, look)
    await settle?.()
    await onLook?.(name)
    const complaints = await runAxe(page, within, seenWidths.has(look.width) ? RULES_OF_COLOUR : [])
    seenWidths.add(look.width)
    found.push(...complaints.map((complaint) => `${name}: ${complaint}`))
  }
  if (looks[0] !== undefined) await show(page, looks[0])
  return found
}

/** What moves has come to rest then. */
export async function show(page: Page, { colorScheme, width }: Look): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.setViewportSize({ width, height: HEIGHT })
  await page.evaluate(comeToRest)
}

/** Runs in the page. What moves for ever, such as the place of what is loading, is not waited for. */
async function comeToRest(): Promise<void> {
  type Animation = { finished: Promise<unknown>; effect: { getComputedTiming(): { endTime: number } } | null }
  const { document, requestAnimationFrame } = globalThis as unknown as {
    document: { getAnimations(): Animation[] }
    requestAnimationFrame(callback: () => void): void
  }
  const nextFrame = () => new Promise<void>((resolve) => requestAnimationFrame(resolve))
  await nextFrame()
  await nextFrame()
  const ending = document.getAnimations().filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
  await Promise.allSettled(ending.map(({ finished }) => finished))
  await nextFrame()
}

/** No rules: all of them. */
async function runAxe(page: Page, within: string, rules: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE)
  return await page.evaluate(askAxe, { within, rules })
}

/** Runs in the page. */
async function askAxe({ within, rules }: { within: string; rules: readonly string[] }): Promise<string[]> {
  type Options = { resultTypes: string[]; runOnly?: { type: 'rule'; values: readonly string[] } }
  const { axe: inPage, document } = globalThis as unknown as {
    axe: { run(within: string, options: Options): Promise<{ violations: { id: string; nodes: { target: string[] }[] }[] }> }
    document: {
      documentElement: { scrollWidth: number; clientWidth: number }
      querySelector(selector: string): { outerHTML: string } | null
    }
  }
  const chosen = rules.length === 0 ? {} : { runOnly: { type: 'rule' as const, values: rules } }
  const { violations } = await inPage.run(within, { resultTypes: ['violations'], ...chosen })
  const { scrollWidth, clientWidth } = document.documentElement
  const isCut = scrollWidth > clientWidth
  const found = violations.map(({ id, nodes }) => {
    const selector = nodes[0]?.target.join(' ') ?? 'html'
    return `${id}: ${selector} ${document.querySelector(selector)?.outerHTML.slice(0, 300)}`
  })
  return [...found, ...(isCut ? ['wider than the page'] : [])]
}
