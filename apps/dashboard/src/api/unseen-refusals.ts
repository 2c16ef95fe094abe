import type { MutationCache } from '@tanstack/react-query'
import { showNotice } from '../shell/notice.ts'
import { t } from '../text/translate.ts'
import { ApiError } from './client.ts'

/**
 * A refusal stands in the dialog of the change. The dialog may be gone by then: the list was asked for anew and lost its row, as when somebody else deleted
 * it, or the person went to another page. A notice shows it in its place. Not so where the session has ended: the dialog waits behind the sign-in form.
 */
export function showUnseenRefusals(cache: MutationCache): () => void {
  const unseen = new WeakSet<object>()
  return cache.subscribe((event) => {
    if (event.type === 'observerRemoved' && event.mutation.state.status === 'pending') unseen.add(event.mutation)
    if (event.type === 'observerAdded') unseen.delete(event.mutation)
    if (event.type === 'updated' && event.action.type === 'error' && unseen.has(event.mutation)) showRefusal(event.action.error)
  })
}

function showRefusal(error: unknown): void {
  if (!(error instanceof Error) || (error instanceof ApiError && error.status === 401)) return
  // Where no answer came, it may have been done.
  showNotice({ text: error instanceof ApiError ? t('This was not done. {message}', { message: error.message }) : error.message })
}
