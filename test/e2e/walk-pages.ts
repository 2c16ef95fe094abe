// For tests: a walk by links through what the navigation and the settings offer the person who is signed in.

import assert from 'node:assert/strict'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { newPage, type OpenPage } from './browser.ts'

/** As `newPage`; what the service refuses or fails at is a complaint, in place of the complaint of the browser. */
export async function openStrictPage(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<OpenPage> {
  const { page, complaints } = await newPage(browser, options, (text) => !text.startsWith('Failed to load resource: the server responded'))
  page.on('response', (response) => {
    const what = `${response.status()} ${response.request().method()} ${response.url()}`
    if (response.status() >= 400) complaints.push(what)
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
  if (!isThere) await page.waitForFunction(hasOtherTitle, title)
  await page.waitForURL(({ pathname }) => pathname.startsWith(path))
  await waitUntilWhole(page)
}

/** Runs in the page. */
function hasOtherTitle(title: string): boolean {
  return (globalThis as unknown as { document: { title: string } }).document.title !== title
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
  await page.waitForFunction(isWhole).catch(() => assert.fail(`${page.url()} does not get whole`))
}

/** Runs in the page. */
function isWhole(): boolean {
  const { document } = globalThis as unknown as { document: { querySelectorAll(selector: string): { length: number } } }
  return document.querySelectorAll('#main h1').length === 1 && document.querySelectorAll('#main [aria-label^="Loading"]').length === 0
}
