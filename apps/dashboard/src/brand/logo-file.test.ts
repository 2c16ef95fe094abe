import assert from 'node:assert/strict'
import { test } from 'node:test'
import { logoProblem } from './logo-file.ts'

test('what the service would refuse is shown before it is sent', () => {
  assert.equal(logoProblem({ type: 'image/png', size: 256 * 1024 }), undefined)
  assert.match(logoProblem({ type: 'image/png', size: 256 * 1024 + 1 }) ?? '', /257 KiB; 256/)
  assert.match(logoProblem({ type: 'image/svg+xml', size: 10 }) ?? '', /SVG/)
})
