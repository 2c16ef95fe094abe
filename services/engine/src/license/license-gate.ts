import type { KeyObject } from 'node:crypto'
import { type Judgement, judgeLicense } from './license.ts'

/** What the edition allows at this moment. `undefined`: no licence is asked for. */
export type LicenseGate = { readonly judge: () => Judgement | undefined }

export const noLicenseNeeded: LicenseGate = { judge: () => undefined }

/** The signature is checked again once a minute at most; the dates need no more than that either. */
const JUDGED_FOR_MS = 60_000

export function createLicenseGate(token: string | undefined, publicKey: KeyObject | undefined, nowMs: () => number): LicenseGate {
  let judgement: Judgement | undefined
  let judgedAtMs = Number.NEGATIVE_INFINITY
  return {
    judge: () => {
      const at = nowMs()
      if (judgement === undefined || Math.abs(at - judgedAtMs) >= JUDGED_FOR_MS) {
        judgement = judgeLicense(token, publicKey, at)
        judgedAtMs = at
      }
      return judgement
    },
  }
}

export function isLicensed(judgement: Judgement | undefined): boolean {
  return judgement === undefined || judgement.state === 'valid' || judgement.state === 'grace'
}
