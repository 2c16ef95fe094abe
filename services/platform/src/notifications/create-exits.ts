import { createSealer } from '@roadworthy/service-kit/process/sealed'
import { defaultSendLimits, type SendLimits, sendWebhook } from '../webhooks/send-webhook.ts'
import type { TargetGuard } from '../webhooks/target-guard.ts'
import { createVapid } from './browsers/web-push.ts'
import { CHANNEL_SECRETS } from './channels/channel.ts'
import type { ChannelExits } from './send-notification.ts'

export type ExitsDeps = {
  readonly secretKey: string
  readonly present: ChannelExits['present']
  /** Where requests may go. */
  readonly guard: TargetGuard
  readonly limits?: SendLimits
}

export function createExits({ secretKey, present, guard, limits = defaultSendLimits }: ExitsDeps): ChannelExits {
  // An attempt ends by its limits. A process that is stopped waits for it, so that the row says what came of it.
  const { signal } = new AbortController()
  return {
    sealer: createSealer(secretKey, CHANNEL_SECRETS),
    vapid: createVapid(secretKey),
    present,
    post: async (sending) => await sendWebhook({ guard, limits }, sending, signal),
  }
}
