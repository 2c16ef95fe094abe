import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DeviceMessage } from '@roadworthy/contracts/platform-v1/device-messages'
import { isShown, readMessageSearch } from './message-search.ts'

const message = (given: Partial<DeviceMessage>): DeviceMessage =>
  ({ status: 'stored', understood: [], keptUnread: {}, warnings: [], ...given }) as DeviceMessage

test('messages are shown by what became of them, as the address states', () => {
  const messages = [
    message({}),
    message({ status: 'refused', warnings: [{ field: 'a', reason: 'b' }] }),
    message({ status: 'duplicate', keptUnread: { a: 1 } }),
    message({ warnings: [{ field: 'a', reason: 'b' }] }),
    message({ understood: [{ key: 'coolant', value: 900, unit: '°C', implausible: true }] }),
  ]
  const placesOf = (show: unknown) => messages.flatMap((each, i) => (isShown(each, readMessageSearch({ show })) ? [i] : []))
  assert.deepEqual(
    [placesOf(undefined), placesOf('refused'), placesOf('unclear'), placesOf('else')],
    [[0, 1, 2, 3, 4], [1], [2, 3, 4], [0, 1, 2, 3, 4]],
  )
})
