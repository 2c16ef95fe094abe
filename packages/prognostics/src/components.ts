// The parts a vehicle is judged by, and what it means for them that something is bad.

import type { Severity } from '@roadworthy/signals/severity'
import { statedIn } from './provenance.ts'

/** Judged in every prediction. */
export const coreComponents = ['engine', 'cooling', 'lubrication', 'fuel', 'transmission', 'brakes', 'battery', 'charging'] as const
/** Judged only when a fault code names them: no signal of ours speaks of them, and not every vehicle has them. */
const codedComponents = ['intake', 'emissions', 'aftertreatment', 'high_voltage', 'chassis', 'body', 'network'] as const
const components = [...coreComponents, ...codedComponents] as const
export type Component = (typeof components)[number]

export function isComponent(text: string): text is Component {
  return components.some((component) => component === text)
}

/**
 * Some fifteen rows at most: looked through they cost less than a map does to make, and without a closure less than `find`. Every prediction asks
 * some twenty times.
 */
export function rowOf<Row extends { readonly component: Component }>(rows: readonly Row[], component: Component): Row | undefined {
  for (const row of rows) if (row.component === component) return row
  return undefined
}

const urgencies = ['monitor', 'routine', 'soon', 'urgent', 'immediate'] as const
export type Urgency = (typeof urgencies)[number]

export const urgencyOf: Readonly<Record<Severity, Urgency>> = {
  info: 'monitor',
  low: 'routine',
  medium: 'soon',
  high: 'urgent',
  critical: 'immediate',
}

/** Condition left (0-100) in a component at the threshold of a finding of this severity. */
export const scoreAt: Readonly<Record<Severity, number>> = { info: 92, low: 82, medium: 65, high: 48, critical: 30 }

/** Of one component each further code, and each further finding, takes this share of its own deficit off what the worst one left. */
export const FURTHER_SHARE = 0.12

/** How much of a component's deficit reaches the vehicle. */
export const importance: Readonly<Record<Component, number>> = {
  engine: 1,
  cooling: 1,
  lubrication: 1,
  brakes: 1,
  transmission: 1,
  fuel: 0.9,
  charging: 0.9,
  battery: 0.9,
  high_voltage: 1,
  chassis: 1,
  intake: 0.9,
  aftertreatment: 0.8,
  emissions: 0.7,
  body: 0.7,
  network: 0.6,
}

export const componentNumbers = statedIn('components', [
  [
    { scoreAt },
    'points of 100',
    'assumption',
    'Medium and critical lie inside the warning and critical bands of health, info and low inside healthy; 65 and 30 are also the caps of the amber and the red lamp.',
  ],
  [
    { FURTHER_SHARE },
    'share',
    'assumption',
    'Several signs of one component are more often one fault than several, so each counts for little, and never for nothing.',
  ],
  [
    { importance },
    'share',
    'assumption',
    'A lost data bus is not a dead engine. Of the body only restraints have grave codes, and an airbag that may not work leaves no vehicle healthy.',
  ],
])

export const componentLabels: Readonly<Record<Component, string>> = {
  engine: 'engine',
  cooling: 'cooling system',
  lubrication: 'lubrication',
  fuel: 'fuel system',
  transmission: 'transmission',
  brakes: 'brakes',
  battery: 'battery',
  charging: 'charging system',
  intake: 'intake and boost',
  emissions: 'emission control',
  aftertreatment: 'exhaust after-treatment',
  high_voltage: 'high-voltage drive',
  chassis: 'steering and suspension',
  body: 'body and restraints',
  network: 'vehicle network',
}
