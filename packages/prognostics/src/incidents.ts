// Findings with one cause are one thing to a workshop: the lamp, the code that lit it and the reading behind it. They count once, and one
// recommendation is given for them.
import { type Severity, severityRank } from '@roadworthy/signals/severity'
import type { Component } from './components.ts'
import { isLamp, type LampType } from './detection/lamps.ts'
import type { Finding } from './finding.ts'

export type Incident = {
  /** One of a vehicle at a time, and the same from one prediction to the next. */
  readonly cause: string
  readonly component: Component
  readonly severity: Severity
  /** Condition that its worst finding leaves the component, 0 (failed) to 100 (sound). */
  readonly score: number
  /** Worst first, and lamps last: they report that something is wrong, the others name it. Never empty. */
  readonly findings: readonly Finding[]
}

/** Findings that have nothing to do with what else may be wrong with their component: stolen fuel clogs no filter. */
const standsAlone: ReadonlySet<string> = new Set(['fuel_loss', 'fuel_low', 'unit_suspected'])

/** What ails a component because of another one. Assumption: a battery that is not charged properly is flat or weak for that reason. */
const causedBy: ReadonlyMap<Component, Component> = new Map([['battery', 'charging']])

const LAMPS_ALONE = 'lamps'

/**
 * Which findings can be what a lamp was lit for, by SAE J1939-73: red for what demands a stop, amber for anything else that needs attention,
 * the protect lamp for what is not electronic, the malfunction lamp for what bears on emissions.
 */
const lampCovers: Readonly<Record<LampType, { readonly from: Severity; readonly notOf: ReadonlySet<Component> }>> = {
  red_stop_lamp: { from: 'high', notOf: new Set() },
  amber_warning_lamp: { from: 'low', notOf: new Set() },
  protect_lamp: { from: 'low', notOf: new Set(['emissions', 'body', 'network', 'battery']) },
  mil_lamp: { from: 'low', notOf: new Set(['brakes', 'chassis', 'body', 'battery']) },
}

const NONE: readonly Incident[] = []

/** Worst first. Each finding is in exactly one. */
export function groupByCause(findings: readonly Finding[]): readonly Incident[] {
  if (findings.length === 0) return NONE
  const present = new Set(findings.filter((finding) => !standsAlone.has(finding.type)).map(({ component }) => component))
  const groups = new Map<string, { readonly component: Component; readonly findings: Finding[] }>()
  const put = (cause: string, component: Component, finding: Finding) => {
    const group = groups.get(cause)
    if (group === undefined) groups.set(cause, { component, findings: [finding] })
    else group.findings.push(finding)
  }
  for (const finding of findings) {
    if (isLamp(finding)) continue
    const { type, component } = finding
    if (standsAlone.has(type)) put(`${component}/${type}`, component, finding)
    else {
      const source = causedBy.get(component)
      const of = source !== undefined && present.has(source) ? source : component
      put(of, of, finding)
    }
  }
  const explained = [...groups].map(([cause, group]) => toIncident(cause, group))
  for (const lamp of findings) {
    if (!isLamp(lamp)) continue
    const explanation = explanationOf(lamp.type, explained)
    if (explanation === undefined) put(LAMPS_ALONE, lamp.component, lamp)
    else put(explanation.cause, explanation.component, lamp)
  }
  return [...groups].map(([cause, group]) => toIncident(cause, group)).sort(worstFirst)
}

/** The worst one, so that one more finding never takes a lamp away from a graver one. */
function explanationOf(lamp: LampType, incidents: readonly Incident[]): Incident | undefined {
  const { from, notOf } = lampCovers[lamp]
  const isCovered = ({ findings, component }: Incident) =>
    !notOf.has(component) &&
    findings.some(({ severity, score, type }) => score < 100 && severityRank[severity] >= severityRank[from] && !standsAlone.has(type))
  return incidents.filter(isCovered).reduce<Incident | undefined>((worst, one) => {
    if (worst === undefined || one.score < worst.score) return one
    return one.score === worst.score && one.cause < worst.cause ? one : worst
  }, undefined)
}

export function toIncident(
  cause: string,
  { component, findings }: { readonly component: Component; readonly findings: readonly Finding[] },
): Incident {
  const sorted = findings.toSorted((a, b) => Number(isLamp(a)) - Number(isLamp(b)) || worstFirst(a, b))
  const severity = findings.reduce<Severity>(
    (worst, one) => (severityRank[one.severity] > severityRank[worst] ? one.severity : worst),
    'info',
  )
  return { cause, component, severity, score: Math.min(...findings.map(({ score }) => score)), findings: sorted }
}

type Ranked = { readonly severity: Severity; readonly score: number }

export function worstFirst(a: Ranked, b: Ranked): number {
  return severityRank[b.severity] - severityRank[a.severity] || a.score - b.score
}

/** The component that a finding is held against: a lamp is held against what it was lit for. */
export function componentOf(finding: Finding, incident: Incident): Component {
  return isLamp(finding) ? incident.component : finding.component
}

/** What to do about all of it. A lamp that is graver than what explains it adds its own demand. */
export function recommendationOf({ findings }: Incident): string {
  const [lead] = findings as readonly [Finding, ...Finding[]]
  const graver = findings.find((one) => isLamp(one) && severityRank[one.severity] > severityRank[lead.severity])
  return graver === undefined ? lead.recommendation : `${graver.recommendation}. ${lead.recommendation}`
}
