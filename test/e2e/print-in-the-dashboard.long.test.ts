// Goal: on paper a page has its words and colours, as large as they are meant, and no sheet is empty. Method: the real service, and the PDF that a real browser
// prints.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { inflateSync } from 'node:zlib'
import { hasBrowser, inBrowser, newPage, signIn } from './browser.ts'
import { type ServedDashboard, serveDashboard } from './serve-dashboard.ts'
import { goTo } from './walk-pages.ts'

let served: ServedDashboard

before(async () => {
  if (hasBrowser) served = await serveDashboard()
})

after(() => served?.stop())

/** Points for each pixel of the page: 0.75, as 72 and 96 of them are an inch, unless a browser made it smaller so that something wide has its place. */
function scaleOf(pdf: Buffer): number {
  for (const { index, 0: keyword } of pdf.toString('latin1').matchAll(/stream\r?\n/g)) {
    const matrices = [...textOf(pdf.subarray(index + keyword.length)).matchAll(/^([\d.]+) .* cm$/gm)].map(([, scale]) => Number(scale))
    if (matrices.length > 1) return Math.round((matrices[0] ?? 0) * (matrices[1] ?? 0) * 100) / 100
  }
  assert.fail('the PDF draws nothing')
}

/** Of a stream of a PDF; what is not compressed, such as a font, draws no page. */
function textOf(stream: Buffer): string {
  const isCompressed = stream[0] === 0x78
  return isCompressed ? inflateSync(stream).toString('latin1') : ''
}

test('a page is printed as large as it is, on no more sheets than it has lines for, and badges keep their grounds', inBrowser, async () => {
  const { dashboard } = served.platform.credentials
  await served.ask('POST', '/api/external/vehicles', { license_plate: 'KA 01' })
  const { page } = await newPage(served.browser)
  await page.goto(`${dashboard.url}usage`)
  await signIn(page, dashboard)
  await page.locator('.uplot canvas').waitFor()
  const pdf = await page.pdf({ format: 'A4' })
  const sheets = pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length

  await goTo(page, 'fleet')
  await page.emulateMedia({ media: 'print' })
  const badge = page.locator('#main .mantine-Badge-root').first()
  const colours = await badge.evaluate(colourAdjustmentOf)
  assert.deepEqual({ scale: scaleOf(pdf), sheets, colours }, { scale: 0.75, sheets: 1, colours: 'exact' })
  await page.context().close()
})

/** Runs in the page. */
function colourAdjustmentOf(element: object): string {
  const { getComputedStyle } = globalThis as unknown as { getComputedStyle(element: object): { printColorAdjust: string } }
  return getComputedStyle(element).printColorAdjust
}
