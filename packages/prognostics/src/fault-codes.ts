// Fault codes to findings: one finding per component, however many codes it has, so that a burst of codes is one alert.
import { type Severity, severityRank } from '@roadworthy/signals/severity'
import { type Component, componentLabels, scoreAt } from './components.ts'
import { type CodeMeaning, fmiMeanings, j2012Ranges, spnMeanings, stopNowSpns } from './fault-code-table.ts'
import type { Finding } from './finding.ts'
import type { Timeline } from './timeline.ts'

export type FaultCode = CodeMeaning & { readonly code: string }

/** `P0217`, also with a failure type byte (`P0217-64`) or text behind it. */
const J2012 = /^([PCBU][0-3][0-9A-F]{3})(?![0-9A-Z])/
/** `SPN 110 FMI 0`, `SPN110-FMI0`, `spn:110,fmi:0`, `110/0`. */
const SPN_FMI = /^(?:SPN)?[\s:#=_-]*(\d{1,6})[\s:;,/_.-]+(?:FMI)?[\s:#=_-]*(\d{1,2})(?!\d)/

/** Codes looked at per observation; a control unit stores far fewer. */
const MAX_CODES = 64

export function readFaultCode(text: string): FaultCode {
  const code = text.trim().toUpperCase()
  const [, j2012] = J2012.exec(code) ?? []
  if (j2012 !== undefined) {
    const meaning = j2012Ranges.find(({ from, to }) => j2012 >= from && j2012 <= to)
    if (meaning) return { code: j2012, component: meaning.component, severity: meaning.severity, text: meaning.text }
  }
  const [, spn, fmi] = SPN_FMI.exec(code) ?? []
  if (spn !== undefined && fmi !== undefined) return readSpnFmi(Number(spn), Number(fmi))
  return { code: text.trim(), component: 'engine', severity: 'low', text: 'fault code of the maker' }
}

function readSpnFmi(spn: number, fmi: number): FaultCode {
  const part = spnMeanings.get(spn)
  const mode = fmiMeanings.get(fmi)
  const severity: Severity = stopNowSpns.has(spn) && (fmi === 0 || fmi === 1) ? 'critical' : (mode?.severity ?? 'medium')
  const text = `${part?.text ?? `parameter ${spn}`} ${mode?.text ?? `failure mode ${fmi}`}`
  return { code: `SPN ${spn} FMI ${fmi}`, component: part?.component ?? 'engine', severity, text }
}

/** Each further code on a component takes this much more off what the worst one left. */
const FURTHER_CODE_SHARE = 0.12

export function findFaultCodes(timeline: Timeline): Finding[] {
  const reported = latestCodes(timeline)
  if (reported.length === 0) return []
  const byComponent = new Map<Component, FaultCode[]>()
  const seen = new Set<string>()
  for (const text of reported.slice(0, MAX_CODES)) {
    const fault = readFaultCode(text)
    if (fault.code === '' || seen.has(fault.code)) continue
    seen.add(fault.code)
    const group = byComponent.get(fault.component)
    if (group) group.push(fault)
    else byComponent.set(fault.component, [fault])
  }
  return [...byComponent].map(([component, faults]) => toFinding(component, faults))
}

/** Codes last as long as nothing newer is said about them. */
function latestCodes({ samples }: Timeline): readonly string[] {
  return samples.findLast(({ dtcCodes }) => dtcCodes !== undefined)?.dtcCodes ?? []
}

function toFinding(component: Component, faults: FaultCode[]): Finding {
  faults.sort((a, b) => severityRank[b.severity] - severityRank[a.severity] || (a.code < b.code ? -1 : 1))
  const [worst, ...others] = faults as [FaultCode, ...FaultCode[]]
  const score = others.reduce(
    (left, { severity }) => left * (1 - (FURTHER_CODE_SHARE * (100 - scoreAt[severity])) / 100),
    scoreAt[worst.severity],
  )
  const more =
    others.length === 0
      ? ''
      : ` and ${others.length} more: ${others
          .slice(0, 5)
          .map(({ code }) => code)
          .join(', ')}`
  return {
    type: 'fault_code',
    component,
    severity: worst.severity,
    score,
    description: `Fault code: ${worst.text}`,
    message: `Fault code ${worst.code} (${worst.text})${more}`,
    recommendation: `Have ${worst.code} (${worst.text}) diagnosed on the ${componentLabels[component]}`,
    code: worst.code,
    evidence: { codes: faults.map(({ code }) => code) },
  }
}
