import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeOf, draftOf, isWholeDraft } from './retention-draft.ts'

const preset = { days: 400, isPreset: true, presetDays: 400, minDays: 30, subClients: [] }
const set = {
  ...preset,
  days: null,
  isPreset: false,
  subClients: [
    { subClientId: 'north', days: 60 },
    { subClientId: 'south', days: null },
  ],
}

test('what was read and not changed is sent as it was', () => {
  assert.deepEqual(changeOf(draftOf(preset)), { subClients: [] })
  assert.deepEqual(changeOf(draftOf(set)), { days: null, subClients: set.subClients })
})

test('a time that is too short, and a sub-client without a name or named twice, cannot be sent', () => {
  const draft = draftOf(set)
  assert.equal(isWholeDraft(draft, 30), true)
  assert.equal(isWholeDraft({ ...draft, whole: { kind: 'days', days: 29 } }, 30), false)
  assert.equal(isWholeDraft({ ...draft, whole: { kind: 'ever', days: 1 } }, 30), true)
  const more = (subClientId: string) => ({
    ...draft,
    subClients: [...draft.subClients, { kind: 'ever', days: 1, key: 9, subClientId } as const],
  })
  assert.equal(isWholeDraft(more(' '), 30), false)
  assert.equal(isWholeDraft(more('north '), 30), false)
  assert.equal(isWholeDraft(more('west'), 30), true)
})
