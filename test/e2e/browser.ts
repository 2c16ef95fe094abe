// For tests: a real browser, and how a person comes into the dashboard.

import { existsSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => existsSync(path))
/** The same without windows, as Playwright takes it where nobody looks: a file of tests takes a fifth less of the processor. */
const HEADLESS_SHELL = ['/usr/bin/chromium-headless-shell'].find((path) => existsSync(path))
/**
 * WebGL by the processor, for there is no graphics card, and only where a page draws by it: what it took to put whole pages together by way of it was more
 * than half of what a browser took. And none of the requests that a browser makes of its own accord.
 */
const FLAGS = [
  '--no-sandbox',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-gpu-compositing',
  '--disable-gpu-rasterization',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-sync',
  '--no-first-run',
]

/**
 * A person's language follows them into every browser: one that chose English reads English, whatever a test before chose. A page of no site, as before the
 * first address, has no storage.
 */
const CHOOSE_ENGLISH = `if (origin !== 'null') localStorage['roadworthy.preferences'] ??= '{"language":"en","units":"metric"}'`

/** Only what never comes takes that long: pages are drawn without a graphics card, on a machine that runs other tests beside. */
const PATIENCE_MS = 120_000

/** What no page can help: what the browser logs of drawing a map by the processor, and of the answer 503 of a busy machine, after which the page asks again. */
const NO_COMPLAINTS = ['GPU stall due to ReadPixels', 'the server responded with a status of 503']

export const hasBrowser = CHROMIUM !== undefined
/** Of a test that needs one. */
export const inBrowser = { skip: !hasBrowser && 'needs Chromium: apt-get install --no-install-recommends chromium' }

export type OpenPage = {
  readonly page: Page
  /** Errors and warnings of the browser, in their order. */
  readonly complaints: string[]
}

/** `isWhole`: with what only a browser with windows has, such as the messages of a site. */
export async function launchBrowser(flags: readonly string[] = [], { isWhole = false } = {}): Promise<Browser> {
  const executablePath = isWhole ? CHROMIUM : (HEADLESS_SHELL ?? CHROMIUM)
  return await chromium.launch({ ...(executablePath === undefined ? {} : { executablePath }), args: [...FLAGS, ...flags] })
}

/** In a profile of its own, so that several people can be signed in; `page.context().newPage()` is another tab of the same. */
export async function newPage(
  browser: Browser,
  options: BrowserContextOptions = {},
  isComplaint: (text: string) => boolean = () => true,
): Promise<OpenPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  context.setDefaultTimeout(PATIENCE_MS)
  await context.addInitScript(CHOOSE_ENGLISH)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    const text = message.text()
    if (!['error', 'warning'].includes(message.type()) || NO_COMPLAINTS.some((each) => text.includes(each))) return
    if (isComplaint(text)) complaints.push(text)
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  return { page, complaints }
}

export async function signIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.getByRole('textbox', { name: 'E-mail' }).fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** On the page that the link of an invitation or a reset leads to. */
export async function choosePassword(page: Page, password: string, again = password): Promise<void> {
  await page.getByRole('textbox', { name: 'New password', exact: true }).fill(password)
  await page.getByRole('textbox', { name: 'New password, again' }).fill(again)
  await page.getByRole('button', { name: 'Set password and sign in' }).click()
}

type Clicked = { wasClicked?: boolean; addEventListener(name: string, listener: () => void, isFirst: boolean): void }

/** Returns whether something was clicked since: what the page asks for because of the click comes after it. */
export async function noteClicks(page: Page): Promise<() => Promise<boolean>> {
  await page.evaluate(() => {
    const here = globalThis as unknown as Clicked
    here.addEventListener('click', () => (here.wasClicked = true), true)
  })
  return () => page.evaluate(() => (globalThis as unknown as Clicked).wasClicked === true)
}

/** Once the page and the service agree on what was chosen before: until then the page may still write that. */
export async function choosePreferences(page: Page, preferences: string): Promise<void> {
  await untilAgreed(page)
  await page.evaluate(`localStorage.setItem('roadworthy.preferences', '${preferences}')`)
}

/** Until the page and the service have the same language and units. */
export async function untilAgreed(page: Page): Promise<void> {
  // A function: the policy of the page lets a string be evaluated only the first time that it is asked.
  await page.waitForFunction(isAgreed)
}

/** Runs in the page. */
function isAgreed(): boolean {
  const { localStorage } = globalThis as unknown as { localStorage: { getItem(key: string): string | null } }
  return JSON.parse(localStorage.getItem('roadworthy.preferences') ?? '{}').agreed !== undefined
}
