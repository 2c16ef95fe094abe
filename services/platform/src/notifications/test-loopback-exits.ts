// For tests only. In a module of its own, because a process that is to be killed loads it, hundreds of times.

import { createPost } from '../main/mail.ts'
import { TEST_SECRET_KEY } from '../test-support.ts'
import { createTargetGuard } from '../webhooks/target-guard.ts'
import { createExits } from './create-exits.ts'
import type { ChannelExits } from './send-notification.ts'

/** Sends over real connections, to loopback alone. */
export function loopbackExits(totalMs = 20_000): ChannelExits {
  return createExits({
    secretKey: TEST_SECRET_KEY,
    present: async () => ({ name: 'Acme', baseUrl: 'https://fleet.acme.example' }),
    guard: loopbackGuard,
    limits: { connectMs: 20_000, totalMs, maxAnswerBytes: 65_536 },
  })
}

export const loopbackGuard = createTargetGuard({
  allowCidrs: '127.0.0.0/8',
  resolveName: () => Promise.reject(new Error('nobody is asked in this test')),
})

/** Mail to that server. */
export const postTo = (mailUrl: string) =>
  createPost({
    mailServer: { url: mailUrl, from: 'fleet@acme.example' },
    present: async () => ({ name: 'Acme', baseUrl: 'https://fleet.acme.example' }),
    random: () => 0,
    log: { error: () => undefined },
  })
