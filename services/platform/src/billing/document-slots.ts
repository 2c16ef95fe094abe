// How many long documents are under way at once. Each is held by who reads it, however slowly, and a few readers must not fill the memory, nor those of
// one reseller keep all others from theirs.

import { Problem } from '@roadworthy/service-kit/http/problem'

const RETRY_AFTER_S = 5

export type SlotLimits = { readonly most: number; readonly mostOfReseller: number; readonly name: string }

export type DocumentSlots = {
  /** Answers what gives the slot back. Refuses with `overloaded`. */
  take(resellerId: string): () => void
}

export function createDocumentSlots({ most, mostOfReseller, name }: SlotLimits): DocumentSlots {
  const taken = new Map<string, number>()
  let takenCount = 0
  return {
    take: (resellerId) => {
      const ofReseller = taken.get(resellerId) ?? 0
      if (takenCount >= most || ofReseller >= mostOfReseller)
        throw new Problem('overloaded', `Too many ${name} are being sent at this moment.`, { retryAfterS: RETRY_AFTER_S })
      takenCount++
      taken.set(resellerId, ofReseller + 1)
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        takenCount--
        const rest = (taken.get(resellerId) ?? 0) - 1
        if (rest > 0) taken.set(resellerId, rest)
        else taken.delete(resellerId)
      }
    },
  }
}
