// Which messages of a device are shown, as it stands in the address.

import type { DeviceMessage } from '@roadworthy/contracts/platform-v1/device-messages'

const messageViews = ['refused', 'unclear'] as const
type MessageView = (typeof messageViews)[number]

export type MessageSearch = { readonly show?: MessageView }

export function readMessageSearch({ show }: Record<string, unknown>): MessageSearch {
  const known = messageViews.find((each) => each === show)
  return known === undefined ? {} : { show: known }
}

/** `unclear`: stored, and something of it was not understood or not believed. */
export function isShown(message: DeviceMessage, { show }: MessageSearch): boolean {
  const { status, keptUnread, warnings, understood } = message
  if (show === undefined) return true
  if (show === 'refused') return status === 'refused'
  return status !== 'refused' && (Object.keys(keptUnread).length > 0 || warnings.length > 0 || understood.some((each) => each.implausible))
}
