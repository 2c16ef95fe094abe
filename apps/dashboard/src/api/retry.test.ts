import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from './client.ts'
import { isAskedAgain, isMissing } from './retry.ts'

test('what did not arrive, or a busy service did not answer, is asked for twice more; what was refused is not', () => {
  const failures = [
    new TypeError('Failed to fetch'),
    new ApiError(503, { code: 'unavailable' }),
    new ApiError(502, {}),
    new ApiError(504, {}),
  ]
  for (const error of failures)
    assert.deepEqual(
      [0, 1, 2].map((count) => isAskedAgain(count, error)),
      [true, true, false],
    )
  for (const status of [400, 401, 403, 404, 429, 500]) assert.equal(isAskedAgain(0, new ApiError(status, {})), false, String(status))
})

test('what is not there is not asked for from time to time, and what could not be answered is', () => {
  const errors = [null, new TypeError('Failed to fetch'), new ApiError(503, {}), new ApiError(404, {})]
  assert.deepEqual(errors.map(isMissing), [false, false, false, true])
})
