// Fault codes to findings: one finding per component, however many codes it has, so that a burst of codes is one alert.
import { severityRank } from '@roadworthy/signals/severity'
import { type Component, FURTHER_SHARE, scoreAt } from '../components.ts'
import type { Finding } from '../finding.ts'
import type { Timeline } from '../inputs/timeline.ts'
import { drivingOnText } from './fault-codes/driving-on.ts'
import { type FaultCode, isNoFault, readFaultCode } from './fault-codes/read-fault-code.ts'

/** Codes looked at per observation; a control unit stores far fewer. */
const MAX_CODES = 64
/** Codes that a message names beside the gravest one. */
const MAX_NAMED = 5

export function findFaultCodes(timeline: Timeline): Finding[] {
  const reported = latestCodes(timeline)
  if (reported.length === 0) return []
  const byComponent = new Map<Component, FaultCode[]>()
  const seen = new Set<string>()
  for (const text of reported.slice(0, MAX_CODES)) {
    const fault = readFaultCode(text)
    if (isNoFault(fault) || seen.has(fault.code)) continue
    seen.add(fault.code)
    const component = componentOf(fault, timeline)
    const group = byComponent.get(component)
    if (group) group.push(fault)
    else byComponent.set(component, [fault])
  }
  return [...byComponent].map(([component, faults]) => toFinding(component, faults))
}

/** A code of the engine or its control unit counts for the electric drive where there is no engine. */
function componentOf({ component }: FaultCode, { traits }: Timeline): Component {
  return component === 'engine' && traits.powertrain === 'electric' ? 'high_voltage' : component
}

/** Codes last until a newer reading reports codes. */
function latestCodes({ samples }: Timeline): readonly string[] {
  return samples.findLast(({ dtcCodes }) => dtcCodes !== undefined)?.dtcCodes ?? []
}

function toFinding(component: Component, faults: FaultCode[]): Finding {
  faults.sort((a, b) => severityRank[b.severity] - severityRank[a.severity] || (a.code < b.code ? -1 : 1))
  const [worst, ...others] = faults as [FaultCode, ...FaultCode[]]
  const drivingOn = drivingOnText(worst.driving, worst.effect)
  const score = others.reduce(
    (left, { severity }) => left * (1 - (FURTHER_SHARE * (100 - scoreAt[severity])) / 100),
    scoreAt[worst.severity],
  )
  const more =
    others.length === 0
      ? ''
      : ` and ${others.length} more: ${others
          .slice(0, MAX_NAMED)
          .map(({ code }) => code)
          .join(', ')}`
  return {
    type: 'fault_code',
    component,
    severity: worst.severity,
    score,
    description: `Fault code: ${worst.title}`,
    message: `Fault code ${worst.code} (${worst.title})${more}`,
    recommendation: recommendationOf(worst, drivingOn),
    code: worst.code,
    evidence: {
      codes: faults.map(({ code }) => code),
      titles: faults.map(({ title }) => title),
      drivingOn,
    },
  }
}

function recommendationOf({ code, title, driving, effect }: FaultCode, drivingOn: string): string {
  // What the driver puts right himself, or what needs nothing, is not for a diagnosis.
  const isForWorkshop = driving !== 'note' && effect?.startsWith('=') !== true
  return isForWorkshop ? `${drivingOn}. Have ${code} (${title}) diagnosed` : `${code} (${title}): ${drivingOn}`
}
