import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Notification } from './notification.ts'
import { sendInTurns } from './send-notification.ts'

test('a receiver that hangs keeps only those of its turn waiting, and every retry is named', async () => {
  const notifications = Array.from({ length: 12 }, (_, nth) => ({ notificationId: `ntf-${nth}` }) as Notification)
  const { promise: othersSent, resolve } = Promise.withResolvers<void>()
  const order: string[] = []
  const retriesAt = await sendInTurns(notifications, async ({ notificationId }) => {
    if (notificationId === 'ntf-0') {
      const patience = setTimeout(resolve, 2_000)
      await othersSent
      clearTimeout(patience)
    }
    order.push(notificationId)
    if (order.length === 10) resolve()
    return notificationId === 'ntf-7' ? new Date(0) : undefined
  })
  assert.deepEqual([order.slice(10), retriesAt], [['ntf-0', 'ntf-6'], [new Date(0)]])
})
