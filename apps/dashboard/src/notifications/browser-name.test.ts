import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browserName } from './browser-name.ts'

test('a browser is called what it is, and not what it descends from', () => {
  const webKit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
  assert.deepEqual(
    [
      `Mozilla/5.0 (X11; Linux x86_64) ${webKit} Chrome/155.0.0.0 Safari/537.36`,
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/155.0.0.0 Safari/537.36 Edg/155.0.0.0`,
      `Mozilla/5.0 (Linux; Android 16; SM-S921B) ${webKit} SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36`,
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:150.0) Gecko/20100101 Firefox/150.0',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
      'curl/8',
    ].map(browserName),
    ['Chrome on Linux', 'Edge on Windows', 'Samsung Internet on Android', 'Firefox on macOS', 'Safari on iPhone', 'Browser'],
  )
})
