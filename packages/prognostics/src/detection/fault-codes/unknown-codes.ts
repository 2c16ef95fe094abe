// Codes that the dictionary has no entry for: what follows from their letter and number, and nothing beyond that.
import type { Component } from '../../components.ts'
import { statedIn } from '../../provenance.ts'
import type { CodeMeaning } from './code-table.ts'
import type { DrivingOn } from './driving-on.ts'

/** By the letter. */
const systems: Readonly<Record<string, { readonly text: string; readonly component: Component; readonly driving: DrivingOn }>> = {
  P: { text: 'powertrain', component: 'engine', driving: 'soon' },
  C: { text: 'chassis', component: 'brakes', driving: 'soon' },
  B: { text: 'body', component: 'body', driving: 'service' },
  U: { text: 'network', component: 'network', driving: 'service' },
}

/** SAE J2012 gives powertrain numbers by the digit after the first; the same in all ranges that it defines. */
const powertrainAreas: Readonly<Record<string, { readonly text: string; readonly component: Component }>> = {
  '0': { text: 'fuel and air metering', component: 'engine' },
  '1': { text: 'fuel and air metering', component: 'engine' },
  '2': { text: 'fuel and air metering', component: 'engine' },
  '3': { text: 'ignition or misfire', component: 'engine' },
  '4': { text: 'emission control', component: 'emissions' },
  '5': { text: 'speed, idle or auxiliary inputs', component: 'engine' },
  '6': { text: 'control unit and its outputs', component: 'engine' },
  '7': { text: 'transmission', component: 'transmission' },
  '8': { text: 'transmission', component: 'transmission' },
  '9': { text: 'transmission', component: 'transmission' },
}

/** Letters after P0 and P1 are hybrid and electric drive; after P2 they go on with fuel and air. */
const HYBRID = /^P[01][A-F]/

/** SAE J2012: 0 is SAE's, 1 the maker's; 2 is SAE's for P and the maker's for the others; P30 to P33 is the maker's, the rest of 3 SAE's. */
function definedByMaker(code: string): boolean {
  const [letter, digit, next = ''] = code
  if (digit === '1') return true
  if (digit === '2') return letter !== 'P'
  return digit === '3' && letter === 'P' && next < '4'
}

export function meaningOfUnknown(code: string): CodeMeaning {
  const letter = code[0] ?? ''
  const system = systems[letter] ?? { text: 'vehicle', component: 'engine', driving: 'service' }
  const isMakers = definedByMaker(code)
  const by = isMakers ? "defined by the vehicle's maker" : 'defined by SAE J2012'
  const { text, component } = areaOf(code, isMakers) ?? system
  return { title: `unknown ${text} code, ${by}`, component, driving: system.driving, effect: undefined, isCircuit: false }
}

function areaOf(code: string, isMakers: boolean): { text: string; component: Component } | undefined {
  if (HYBRID.test(code)) return { text: 'hybrid or electric drive', component: 'high_voltage' }
  // Makers keep to the areas as a rule, but are not bound to; only the transmission is inferred from them.
  const area = code.startsWith('P') && !code.startsWith('P3') ? powertrainAreas[code[2] ?? ''] : undefined
  return isMakers && area?.component !== 'transmission' ? undefined : area
}

/** SPN from here to 524287 are the maker's own. */
const MAKERS_SPN_FROM = 516_096

export const unknownCodeNumbers = statedIn('unknown-codes', [
  [
    { systems: Object.fromEntries(Object.entries(systems).map(([letter, { driving }]) => [letter, driving])) },
    'class',
    'assumption',
    'Chassis codes are about brakes more often than not, and powertrain codes about the engine, so an unknown one is not taken lightly.',
  ],
  [{ MAKERS_SPN_FROM }, 'SPN', 'literature', 'SAE J1939-73.'],
])

export function titleOfUnknownParameter(spn: number): string {
  return spn >= MAKERS_SPN_FROM ? `unknown parameter ${spn}, defined by the vehicle's maker` : `unknown parameter ${spn}`
}

/** Neither form of code. */
export const unreadable: CodeMeaning = {
  title: 'unknown code of no standard form',
  component: 'engine',
  driving: 'service',
  effect: undefined,
  isCircuit: false,
}
