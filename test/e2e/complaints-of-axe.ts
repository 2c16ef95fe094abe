// For tests: what a page that is open breaks of the rules for accessibility, and whether it fits.

import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** Of the page, or of what the selector finds. The page has to be opened with `bypassCSP`. What is wider than the page is cut off on a phone. */
export async function complaintsOfAxe(page: Page, within = 'html'): Promise<string[]> {
  await page.evaluate(axe.source)
  return await page.evaluate(runAxe, within)
}

/** Runs in the page. */
async function runAxe(within: string): Promise<string[]> {
  const { axe: inPage, document } = globalThis as unknown as {
    axe: { run(within: string): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }
    document: { documentElement: { scrollWidth: number; clientWidth: number } }
  }
  const { violations } = await inPage.run(within)
  const { scrollWidth, clientWidth } = document.documentElement
  const isCut = scrollWidth > clientWidth
  return [...violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`), ...(isCut ? ['wider than the page'] : [])]
}
