// For tests: a walk by links through what the navigation and the settings offer the person who is signed in.

import assert from 'node:assert/strict'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { newPage, type OpenPage } from './browser.ts'

/** Without it, a wait has the page drawn sixty times a second. */
export const POLL_MS = 50

/** As `newPage`; what the service refuses or fails at is a complaint, in place of the complaint of the browser; but for 503, which the page repeats. */
export async function openStrictPage(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<OpenPage> {
  const { page, complaints } = await newPage(browser, options, (text) => !text.startsWith('Failed to load resource: the server responded'))
  page.on('response', (response) => {
    const what = `${response.status()} ${response.request().method()} ${response.url()}`
    if (response.status() >= 400 && response.status() !== 503) complaints.push(what)
  })
  await page.goto(url)
  return { page, complaints }
}

/** Opens each page that is offered, and `look`s at it when it is whole. Answers their paths, in their order. */
export async function walkPages(page: Page, look: (path: string) => Promise<void> = async () => {}): Promise<string[]> {
  const walked: string[] = []
  for (const name of ['Pages', 'Settings']) {
    const navigation = page.getByRole('navigation', { name, exact: true })
    await navigation.waitFor()
    for (const path of await pathsOf(navigation)) {
      await showAll(navigation)
      await follow(page, navigation.locator(`a[href="${path}"]`), path)
      if (path !== '/settings') walked.push(path)
      await look(path)
    }
  }
  return walked
}

/** The address changes before what is shown does, the title with it. The link of the page that is shown already changes neither. */
async function follow(page: Page, link: Locator, path: string): Promise<void> {
  const [title, isThere] = [await page.title(), new URL(page.url()).pathname === path]
  await link.click()
  if (!isThere) await page.waitForFunction(hasOtherTitle, title, { polling: POLL_MS })
  await page.waitForURL(({ pathname }) => pathname.startsWith(path))
  await waitUntilWhole(page)
}

/** Runs in the page. */
function hasOtherTitle(title: string): boolean {
  return (globalThis as unknown as { document: { title: string } }).document.title !== title
}

/** Any page with little on it whose title no other one has. */
const BETWEEN = 'nowhere/between'

/**
 * Opens the page at this path of the dashboard that is open, as a link to it would, and waits until it is whole: to load all of the dashboard again for each
 * page takes as long as what is looked at. By way of another page, so that nothing of the one before is taken for this one.
 */
export async function goTo(page: Page, path: string): Promise<void> {
  for (const address of [BETWEEN, path]) {
    const title = await page.title()
    await page.evaluate(pushAddress, `/${address}`)
    await page.waitForFunction(hasOtherTitle, title, { polling: POLL_MS })
  }
  await waitUntilWhole(page)
}

/** Runs in the page. The router follows the history. */
function pushAddress(address: string): void {
  const { history } = globalThis as unknown as { history: { pushState(state: object, unused: string, address: string): void } }
  history.pushState({}, '', address)
}

/** On a small screen some links are behind a button, and those of the settings on a page of their own. */
async function showAll(navigation: Locator): Promise<void> {
  const more = navigation.getByRole('button', { name: 'More' })
  if ((await more.count()) > 0 && (await more.getAttribute('aria-expanded')) === 'false') await more.click()
  const back = navigation.getByRole('link', { name: 'All settings' })
  if ((await back.count()) === 0) return
  await back.click()
  await back.waitFor({ state: 'detached' })
}

async function pathsOf(navigation: Locator): Promise<string[]> {
  await showAll(navigation)
  const paths = await navigation.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  return paths.map((path) => path ?? assert.fail('a link leads nowhere'))
}

/** There is one heading that names the page, and nothing is loading any more. */
export async function waitUntilWhole(page: Page): Promise<void> {
  await page.waitForFunction(isWhole, undefined, { polling: POLL_MS }).catch(() => assert.fail(`${page.url()} does not get whole`))
}

/** Runs in the page. */
function isWhole(): boolean {
  const { document } = globalThis as unknown as { document: { querySelectorAll(selector: string): { length: number } } }
  return document.querySelectorAll('#main h1').length === 1 && document.querySelectorAll('#main [aria-label^="Loading"]').length === 0
}
