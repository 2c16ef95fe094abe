// What the service finds for the words in the command palette.

import type { DeviceList } from '@roadworthy/contracts/platform-v1/devices'
import type { SubClientList } from '@roadworthy/contracts/platform-v1/sub-clients'
import type { VehicleList } from '@roadworthy/contracts/platform-v1/vehicles'
import { queryOptions } from '@tanstack/react-query'
import type { Static } from 'typebox'
import { get } from '../api/client.ts'

/** What fits on a phone beside the pages, without scrolling. */
const MOST_OF_EACH = 5
/** One letter is in almost every name. */
const MIN_CHARS = 2

export type FoundThings = {
  readonly vehicles: Static<typeof VehicleList>['vehicles']
  readonly devices: Static<typeof DeviceList>['devices']
  readonly subClients: Static<typeof SubClientList>['subClients']
}

export const noThings: FoundThings = { vehicles: [], devices: [], subClients: [] }

/** `ofReseller`: the person may read sub-clients. */
export const foundThingsQuery = (words: string, ofReseller: boolean) =>
  queryOptions({
    queryKey: ['found', words, ofReseller],
    queryFn: async ({ signal }): Promise<FoundThings> => {
      const parameters = { search: words, limit: MOST_OF_EACH }
      const [{ vehicles }, { devices }, { subClients }] = await Promise.all([
        get<Static<typeof VehicleList>>('/vehicles', parameters, signal),
        get<Static<typeof DeviceList>>('/devices', parameters, signal),
        ofReseller ? get<Static<typeof SubClientList>>('/sub-clients', parameters, signal) : { subClients: [] },
      ])
      return { vehicles, devices, subClients }
    },
    enabled: words.length >= MIN_CHARS,
    placeholderData: (previous) => previous,
  })
