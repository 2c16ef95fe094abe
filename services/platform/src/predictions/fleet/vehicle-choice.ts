// Which vehicles of the fleet a caller means, as the query of a list, of the map and of the counts states.

import { MAX_CHOSEN_IDS } from '@roadworthy/contracts/platform-v1/vehicles'
import { isSlug } from '@roadworthy/contracts/sub-client-slug'
import { Problem } from '@roadworthy/service-kit/http/problem'
import { isStorable } from '@roadworthy/service-kit/text/storable-text'
import type { HealthStatus } from '@roadworthy/signals/health-bands'
import { type Box, readBox } from '../../fleet/box.ts'
import type { VehicleStatus } from '../../fleet/vehicle.ts'
import type { Viewer } from '../../fleet/viewer.ts'

export type VehicleChoice = {
  readonly viewer: Viewer
  readonly ids: readonly string[] | undefined
  readonly groupId: string | undefined
  readonly subClientId: string | undefined
  /** `unknown`: no score has been published yet. */
  readonly healthStatus: HealthStatus | 'unknown' | undefined
  readonly status: VehicleStatus
  /** In lower case. Each has to be found. */
  readonly words: readonly string[]
  readonly presence: 'online' | 'offline' | undefined
  /** Online is what was heard then or later. */
  readonly heardSince: Date
  readonly box: Box | undefined
}

export type VehicleChoiceQuery = {
  ids?: string | undefined
  groupId?: string | undefined
  subClientId?: string | undefined
  healthStatus?: VehicleChoice['healthStatus']
  status?: VehicleStatus | undefined
  presence?: 'online' | 'offline' | undefined
  search?: string | undefined
  bbox?: string | undefined
}

const MAX_WORDS = 8

/** Answers undefined where no vehicle can be meant. */
export function readVehicleChoice(query: VehicleChoiceQuery, viewer: Viewer, heardSince: Date): VehicleChoice | undefined {
  const { groupId, subClientId, healthStatus, status = 'active', presence, search, bbox } = query
  const ids = query.ids === undefined ? undefined : readIds(query.ids)
  const box = bbox === undefined ? undefined : readBox(bbox)
  const words = readWords(search)
  if ((subClientId !== undefined && !isSlug(subClientId)) || !isStorable(search) || !isStorable(query.ids) || !isStorable(groupId))
    return undefined
  return { viewer, ids, groupId, subClientId, healthStatus, status, words, presence, heardSince, box }
}

function readIds(text: string): string[] {
  const ids = [...new Set(text.split(',').filter((id) => id !== ''))]
  if (ids.length <= MAX_CHOSEN_IDS) return ids
  throw new Problem('invalid_request', `"ids" names ${ids.length} vehicles, and ${MAX_CHOSEN_IDS} at most are taken.`, {
    details: { in: 'querystring', field: 'ids', maximum: MAX_CHOSEN_IDS },
  })
}

function readWords(search: string | undefined): string[] {
  const words = (search ?? '').toLowerCase().split(/\s+/u).filter(Boolean)
  if (words.length <= MAX_WORDS) return words
  throw new Problem('invalid_request', `"search" has ${words.length} words, and ${MAX_WORDS} at most are taken.`, {
    details: { in: 'querystring', field: 'search', maximum: MAX_WORDS },
  })
}
