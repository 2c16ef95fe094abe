// The number on a SIM. ITU-T E.118: up to 19 digits with the check digit, by Luhn, at the end; many operators print 20 with it, and leave it
// out elsewhere. So a SIM is known by the first 19 digits, and found with and without its check digit.

/** Whether a text could be an ICCID: 18 digits are one of 19 without its check digit. */
const ICCID = /^[0-9]{18,20}$/
const KEY_DIGITS = 19
/** E.164 has 15 at most; M2M numbers in India have 13. Shorter than 7 is no number that a SIM has. */
const MSISDN = /^[0-9]{7,15}$/

/** ISO/IEC 7812-1 Annex B. */
export function luhnDigit(digits: string): number {
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charCodeAt(digits.length - 1 - i) - 48
    const doubled = i % 2 === 0 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return (10 - (sum % 10)) % 10
}

/** What SIMs are compared by. Undefined for a text that is no ICCID. */
export function iccidKey(iccid: string): string | undefined {
  if (!ICCID.test(iccid)) return undefined
  return iccid.length < KEY_DIGITS ? `${iccid}${luhnDigit(iccid)}` : iccid.slice(0, KEY_DIGITS)
}

/** Of 20 digits the last must be the check digit of the others; of fewer it is unknown. */
export function isIccid(iccid: string): boolean {
  return ICCID.test(iccid) && (iccid.length <= KEY_DIGITS || luhnDigit(iccid.slice(0, KEY_DIGITS)) === Number(iccid.at(-1)))
}

export type SimReference = { readonly simId: string } | { readonly iccidKey: string } | { readonly msisdn: string }

/** How a SIM may be named: by its id, its ICCID or its number. Spaces, hyphens and a plus, as people write them, are left out. */
export function readSimReference(text: string): SimReference | undefined {
  if (/^sim-[a-z0-9]{8,40}$/.test(text)) return { simId: text }
  const digits = text.replaceAll(/[\s-]/g, '').replace(/^\+/, '')
  if (MSISDN.test(digits)) return { msisdn: digits }
  const key = isIccid(digits) ? iccidKey(digits) : undefined
  return key === undefined ? undefined : { iccidKey: key }
}
