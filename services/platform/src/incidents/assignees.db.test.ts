// Goal: a caller finds the people to whom it can assign incidents. Method: a real PostgreSQL and the route.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newId } from '@roadworthy/service-kit/text/ids'
import { openTestDatabase } from '../test-support.ts'
import { openDesk } from './test-incident-desk.ts'

const { database } = await openTestDatabase({ after })

test('a caller is shown the people to whom it can assign incidents, page by page, and nobody else', async (t) => {
  const desk = await openDesk(t, database)
  const north = await desk.bench.addSubClient('north')
  const ofReseller = await desk.addUser(newId('usr'))
  await desk.addUser(newId('usr'), { deactivated: true })
  const ofNorth = await desk.addUser(newId('usr'), { subClientId: north })
  await (await openDesk(t, database)).addUser(newId('usr'))
  type Answer = { assignees: { id: string; subClientId: string | null }[]; total: number; pagination: { endCursor: string | null } }
  const asked = async (api: typeof desk.api, query = '') => (await api.get<Answer>(`/incidents/assignees${query}`)).body
  const all = await asked(desk.api)
  assert.deepEqual(
    [all.total, all.assignees.map(({ id, subClientId }) => [id, subClientId])],
    [
      2,
      [
        [ofReseller, null],
        [ofNorth, north],
      ],
    ],
  )
  const first = await asked(desk.api, '?limit=1')
  const second = await asked(desk.api, `?limit=1&after=${encodeURIComponent(first.pagination.endCursor ?? '')}`)
  assert.deepEqual(
    [first, second].map(({ assignees }) => assignees[0]?.id),
    [ofReseller, ofNorth],
  )
  const pinned = await asked(desk.as({ subClientPin: north }))
  assert.deepEqual([pinned.total, pinned.assignees.map(({ id }) => id)], [1, [ofNorth]])
})
