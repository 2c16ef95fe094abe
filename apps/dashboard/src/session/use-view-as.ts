// Looking as a sub-client belongs to the session, and so to every page that is open under it. Each is loaded anew when it begins and ends, so
// that nothing of what was shown before stays on a screen or in memory.

import type { SessionAnswer } from '@roadworthy/contracts/platform-v1/session'
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Static } from 'typebox'
import { send } from '../api/client.ts'

const START_PAGE = '/'
/** One of this page: what it posts itself does not come back to it. */
const pages = new BroadcastChannel('roadworthy.view-as')

export function useStartViewAs() {
  return useMutation({
    mutationFn: (subClientId: string) => send<Static<typeof SessionAnswer>>('PUT', '/session/view-as', { subClientId }),
    onSuccess: () => leaveFor(START_PAGE),
  })
}

export function useStopViewAs(subClientId: string) {
  return useMutation({
    mutationFn: () => send<Static<typeof SessionAnswer>>('DELETE', '/session/view-as'),
    onSuccess: () => leaveFor(`/sub-clients/${encodeURIComponent(subClientId)}`),
  })
}

/** For pages that are open beside the one on which it was begun or stopped. */
export function useViewAsElsewhere(): void {
  useEffect(() => {
    const leave = () => location.assign(START_PAGE)
    pages.addEventListener('message', leave)
    return () => pages.removeEventListener('message', leave)
  }, [])
}

function leaveFor(path: string): void {
  pages.postMessage('changed')
  location.assign(path)
}
