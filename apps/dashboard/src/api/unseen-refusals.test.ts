import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MutationObserver, QueryClient } from '@tanstack/react-query'
import { showNotice, shownNotice } from '../shell/notice.ts'
import { ApiError } from './client.ts'
import { showUnseenRefusals } from './unseen-refusals.ts'

/** What the notice shows after a change that was refused, with its dialog or without. */
async function noticeOf(error: Error, isDialogGone: boolean): Promise<string | undefined> {
  showNotice(undefined)
  const client = new QueryClient()
  const stop = showUnseenRefusals(client.getMutationCache())
  const refused = Promise.withResolvers<void>()
  const dialog = new MutationObserver(client, { mutationFn: () => refused.promise, gcTime: 0 })
  const leave = dialog.subscribe(() => undefined)
  const change = dialog.mutate()
  if (isDialogGone) leave()
  refused.reject(error)
  await assert.rejects(change)
  leave()
  stop()
  return shownNotice()?.text
}

test('a refusal whose dialog is gone stands in a notice, and one that the dialog shows does not', async () => {
  const missing = new ApiError(404, { message: 'There is no such maintenance record.' })
  assert.equal(await noticeOf(missing, true), 'This was not done. There is no such maintenance record.')
  assert.equal(await noticeOf(missing, false), undefined)
  assert.equal(await noticeOf(new Error('The service did not answer.'), true), 'The service did not answer.')
  assert.equal(await noticeOf(new ApiError(401, { message: 'Not signed in.' }), true), undefined)
})
