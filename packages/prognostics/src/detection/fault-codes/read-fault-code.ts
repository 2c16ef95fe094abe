// The one place where the text of a fault code is taken apart and looked up.
import type { Severity } from '@roadworthy/signals/severity'
import type { Component } from '../../components.ts'
import type { CodeMeaning } from './code-table.ts'
import { drivingOnWith, effectWith, j1939Parameters, j2012Codes } from './dictionary.ts'
import { type DrivingOn, drivingClasses, graverOf } from './driving-on.ts'
import { failureModes, failureTypeText } from './failure-modes.ts'
import { meaningOfUnknown, titleOfUnknownParameter, unreadable } from './unknown-codes.ts'

export type FaultCode = {
  /** As it is reported: `P0301`, `P0301-13` with a failure-type byte, `SPN 110 FMI 0`. */
  readonly code: string
  /** Plain words for what is wrong. */
  readonly title: string
  readonly component: Component
  readonly severity: Severity
  readonly driving: DrivingOn
  /** What the driver notices or risks, where more than the class is known. */
  readonly effect: string | undefined
  /** False where no entry knows the code and its form alone speaks. */
  readonly isKnown: boolean
}

/** `P0217`; with a failure-type byte `P0217-64`, `P021764`; with other text behind it. */
const J2012 = /^([PCBU][0-3][0-9A-F]{3})(?:[-:./_]?([0-9A-F]{2}))?(?![0-9A-Z])/
/** The same without the byte: what stands behind it is no byte, as in `P0420 B1S1`. */
const J2012_ALONE = /^([PCBU][0-3][0-9A-F]{3})(?![0-9A-Z])/
/** `SPN 110 FMI 0`, `SPN110FMI0`, `spn:110,fmi:0`, `110/0`. */
const SPN_FMI = /^(?:SPN)?[\s:#=_-]*(\d{1,6})(?:[\s:;,/_.-]*FMI[\s:#=_-]*|[\s:;,/_.-]+)(\d{1,2})(?!\d)/
const SPN_ALONE = /^SPN[\s:#=_-]*(\d{1,6})(?!\d)/

/** Failure types that make a fault graver than its code alone: something runs hot, leaks or runs dry. */
const HOT_OR_LEAKING: ReadonlySet<string> = new Set(['4B', '7A', '7B', '98'])
/** A part that does not move or does not work: in an unknown chassis code that may be a brake. */
const MECHANICAL = /^[79]/

/** What control units and devices send where there is no fault: no code, and J1939's empty and not available DM1. */
const NO_FAULT: ReadonlySet<string> = new Set([
  ...['', 'P0000', 'SPN 0 FMI 0', 'SPN 524287 FMI 31'],
  // In words, as devices and spreadsheets fill a column that has nothing in it.
  ...['NONE', 'NO', 'NIL', 'NULL', 'N/A', 'NA', '-', '--', '0', 'OK', 'NO CODES', 'NO DTC', 'NO DTCS', 'NO FAULT', 'NO FAULTS'],
])

export function isNoFault({ code }: FaultCode): boolean {
  return NO_FAULT.has(code.toUpperCase())
}

export function readFaultCode(text: string): FaultCode {
  const code = text.trim().toUpperCase()
  const [, j2012, byte] = J2012.exec(code) ?? J2012_ALONE.exec(code) ?? []
  if (j2012 !== undefined) return readJ2012(j2012, byte)
  const [, spn, fmi] = SPN_FMI.exec(code) ?? SPN_ALONE.exec(code) ?? []
  if (spn !== undefined) return readSpnFmi(Number(spn), fmi === undefined ? undefined : Number(fmi))
  return toFaultCode(text.trim(), unreadable, false)
}

function readJ2012(code: string, byte: string | undefined): FaultCode {
  const known = j2012Codes.get(code)
  const meaning = known ?? meaningOfUnknown(code)
  const type = byte === undefined ? undefined : failureTypeText(byte)
  if (byte === undefined || type === undefined) return toFaultCode(code, meaning, known !== undefined)
  const driving = graverOf(meaning.driving, mildestWith(byte, code, known !== undefined))
  return toFaultCode(`${code}-${byte}`, { ...meaning, title: `${meaning.title} (${type})`, driving }, known !== undefined)
}

/** A failure type never makes a fault milder: the control unit that set the code knew it. */
function mildestWith(byte: string, code: string, isKnown: boolean): DrivingOn {
  if (!isKnown && code.startsWith('C') && MECHANICAL.test(byte)) return 'workshop'
  return HOT_OR_LEAKING.has(byte) ? 'soon' : 'note'
}

function readSpnFmi(spn: number, fmi: number | undefined): FaultCode {
  const parameter = j1939Parameters.get(spn)
  const mode = fmi === undefined ? 'failure mode not given' : (failureModes.get(fmi)?.text ?? `failure mode ${fmi}`)
  const meaning: CodeMeaning = {
    title: `${parameter?.title ?? titleOfUnknownParameter(spn)}: ${mode}`,
    component: parameter?.component ?? 'engine',
    driving: drivingOnWith(fmi, parameter),
    effect: parameter === undefined ? undefined : effectWith(fmi, parameter),
    isCircuit: false,
  }
  return toFaultCode(fmi === undefined ? `SPN ${spn}` : `SPN ${spn} FMI ${fmi}`, meaning, parameter !== undefined)
}

function toFaultCode(code: string, { title, component, driving, effect }: CodeMeaning, isKnown: boolean): FaultCode {
  return { code, title, component, severity: drivingClasses[driving].severity, driving, effect, isKnown }
}
