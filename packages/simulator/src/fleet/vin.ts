// Vehicle identification numbers with a valid check digit (49 CFR 565.15, tables III to V; ISO 3779 for the form).

const LETTER_VALUES: Readonly<Record<string, number>> = {
  ...{ A: 1, B: 2, C: 3, D: 4, E: 5, F: 6, G: 7, H: 8, J: 1, K: 2, L: 3, M: 4, N: 5 },
  ...{ P: 7, R: 9, S: 2, T: 3, U: 4, V: 5, W: 6, X: 7, Y: 8, Z: 9 },
}
const WEIGHTS: readonly number[] = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2]
const CHECK_POSITION = 8
/** Model-year codes repeat every 30 years; 2010 is A. I, O, Q, U, Z and 0 are not used. */
const YEAR_CODES = 'ABCDEFGHJKLMNPRSTVWXY123456789'

/** Check digit of a 17-character VIN; what stands at the check position does not matter. `undefined` when it is not a VIN at all. */
export function vinCheckDigit(vin: string): string | undefined {
  if (!/^[A-HJ-NPR-Z0-9]{17}$/.test(vin)) return undefined
  const sum = WEIGHTS.reduce((total, weight, i) => {
    const character = vin.charAt(i)
    return total + weight * (LETTER_VALUES[character] ?? Number(character))
  }, 0)
  const remainder = sum % 11
  return remainder === 10 ? 'X' : String(remainder)
}

export function isValidVin(vin: string): boolean {
  return vinCheckDigit(vin) === vin.charAt(CHECK_POSITION)
}

/** Codes of assembly plants (position 11), in the order in which they are used. I, O and Q are in no VIN. */
const PLANT_CODES = 'RABCDEFGHJKLMNPSTUVWXYZ0123456789'

/** A valid VIN for a maker's code (3 characters), a descriptor (5), a model year, a serial number and the number of a plant. */
export function createVin(makerCode: string, descriptor: string, modelYear: number, serial: number, plant = 0): string {
  const year = YEAR_CODES.charAt((modelYear - 1980) % 30)
  const draft = `${makerCode}${descriptor}0${year}${PLANT_CODES.charAt(plant % PLANT_CODES.length)}${String(serial % 1_000_000).padStart(6, '0')}`
  const digit = vinCheckDigit(draft)
  if (digit === undefined) throw new RangeError(`not a VIN: ${draft}`)
  return draft.slice(0, CHECK_POSITION) + digit + draft.slice(CHECK_POSITION + 1)
}
