// Which words are of which code. Pure: the engine writes a code in its own form, a vehicle in that of its bus.

import type { JudgedCodes } from './fault-codes.read.sql.ts'

/** SAE J2012, with a failure-type byte where there is one. */
const J2012 = /^([PCBU][0-3][0-9A-F]{3})(?:[-:./_]?([0-9A-F]{2}))?(?![0-9A-Z])/
const J2012_ALONE = /^([PCBU][0-3][0-9A-F]{3})(?![0-9A-Z])/
/** SAE J1939-73: suspect parameter number and failure mode. */
const SPN_FMI = /^(?:SPN)?[\s:#=_-]*(\d{1,6})(?:[\s:;,/_.-]*FMI[\s:#=_-]*|[\s:;,/_.-]+)(\d{1,2})(?!\d)/

/** The same text for a code however it is spelled. */
export function codeKey(text: string): string {
  const code = text.trim().toUpperCase()
  const [, j2012, byte] = J2012.exec(code) ?? J2012_ALONE.exec(code) ?? []
  if (j2012 !== undefined) return byte === undefined ? j2012 : `${j2012}-${byte}`
  const [, spn, fmi] = SPN_FMI.exec(code) ?? []
  return spn === undefined ? code : `SPN ${Number(spn)} FMI ${Number(fmi)}`
}

export type CodeWords = Pick<JudgedCodes, 'drivingOn' | 'component' | 'severity' | 'incidentId'> & { readonly title: string | undefined }

/** By the key of a code, the newest judgement that names it. */
export function wordsByCode(judged: readonly JudgedCodes[]): Map<string, CodeWords> {
  const words = new Map<string, CodeWords>()
  for (const { codes, titles, drivingOn, ...rest } of judged) {
    codes.forEach((code, index) => {
      const key = codeKey(code)
      // What it means for driving on is stated for the gravest alone, which stands first.
      if (!words.has(key)) words.set(key, { ...rest, title: titles[index], drivingOn: index === 0 ? drivingOn : undefined })
    })
  }
  return words
}
