// For tests: a running service that serves the dashboard and a browser to open it in, for all the tests of a file.

import assert from 'node:assert/strict'
import { untilTaken } from '@roadworthy/platform/test-support'
import type { Browser } from 'playwright-core'
import { ensureBuilt } from '../../tools/setup/ensure-built.js'
import { call, type RunningPlatform, startPlatform } from '../support/running-platform.ts'
import { launchBrowser } from './browser.ts'
import { ROOT } from './running-service.ts'

export type ServedDashboard = {
  readonly platform: RunningPlatform
  readonly browser: Browser
  /** With the first key, which may do everything. What a busy machine asks to repeat is repeated. Fails where the answer is not 200. */
  ask<Body = Record<string, unknown>>(method: string, path: string, body?: object): Promise<Body>
  stop(): Promise<void>
}

type ServeOptions = {
  readonly flags?: readonly string[]
  readonly env?: Record<string, string>
  readonly browserFlags?: readonly string[]
  /** See `launchBrowser`. */
  readonly isWholeBrowser?: boolean
}

/** To be stopped after the tests: what is handed to `after` from within `before` runs when that ends. */
export async function serveDashboard({
  browserFlags = [],
  isWholeBrowser = false,
  ...options
}: ServeOptions = {}): Promise<ServedDashboard> {
  assert.notEqual(await ensureBuilt(ROOT), 'failed')
  const cleanUps: (() => Promise<void>)[] = []
  const platform = await startPlatform({ after: (cleanUp) => cleanUps.push(cleanUp) }, options)
  const browser = await launchBrowser(browserFlags, { isWhole: isWholeBrowser })
  return {
    platform,
    browser,
    ask: async <Body>(method: string, path: string, body?: object) => {
      const { base_url, api_key: key } = platform.credentials
      const answer = await untilTaken(() => call(base_url, method, path, { key, ...(body === undefined ? {} : { body }) }))
      assert.equal(answer.status, 200, `${method} ${path}: ${JSON.stringify(answer.body)}`)
      return answer.body as Body
    },
    stop: async () => {
      await browser.close()
      for (const cleanUp of cleanUps) await cleanUp()
    },
  }
}
