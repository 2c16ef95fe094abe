// What fault codes show about the vehicle itself, beside what is wrong with it.
import type { Component } from '../components.ts'
import { isNoFault, readFaultCode } from '../detection/fault-codes/read-fault-code.ts'
import type { Observation } from '../inputs/observation.ts'

export type CodeEvidence = {
  /** Trucks, buses and machines report suspect parameter numbers (SAE J1939), light vehicles do not. */
  readonly isJ1939: boolean
  readonly isHighVoltage: boolean
  /** The first code that only a combustion engine has. */
  readonly combustionCode: string | undefined
}
export const NO_EVIDENCE: CodeEvidence = { isJ1939: false, isHighVoltage: false, combustionCode: undefined }

const ofCombustion: ReadonlySet<Component> = new Set(['lubrication', 'emissions', 'aftertreatment'])
const MISFIRE_OR_IGNITION = /^P03/

/** Codes that were reported once stay evidence when they are over: what a vehicle is does not change. */
export function evidenceOfCodes(current: Observation, earlier: readonly Observation[]): CodeEvidence {
  let found = NO_EVIDENCE
  for (let index = 0; index <= earlier.length; index++) {
    const codes = index === earlier.length ? current.dtcCodes : earlier[index]?.dtcCodes
    if (codes === undefined || codes.length === 0) continue
    for (const code of codes) {
      const evidence = evidenceOf(code)
      if (evidence !== NO_EVIDENCE) found = found === NO_EVIDENCE ? evidence : merged(found, evidence)
    }
  }
  return found
}

function merged(one: CodeEvidence, other: CodeEvidence): CodeEvidence {
  return {
    isJ1939: one.isJ1939 || other.isJ1939,
    isHighVoltage: one.isHighVoltage || other.isHighVoltage,
    combustionCode: one.combustionCode ?? other.combustionCode,
  }
}

const known = new Map<string, CodeEvidence>()
/** A service that is sent ever new texts must not fill its memory with them. */
const MAX_KNOWN = 1000

/** Kept, because a vehicle repeats its codes with every reading. */
function evidenceOf(text: string): CodeEvidence {
  const found = known.get(text)
  if (found !== undefined) return found
  if (known.size >= MAX_KNOWN) known.clear()
  const fault = readFaultCode(text)
  const { code, component, isKnown } = fault
  const isJ1939 = code.startsWith('SPN ')
  const isHighVoltage = component === 'high_voltage'
  const isOfCombustion = (isKnown && ofCombustion.has(component)) || MISFIRE_OR_IGNITION.test(code)
  const isSilent = isNoFault(fault) || !(isJ1939 || isHighVoltage || isOfCombustion)
  const evidence = isSilent ? NO_EVIDENCE : { isJ1939, isHighVoltage, combustionCode: isOfCombustion ? code : undefined }
  known.set(text, evidence)
  return evidence
}
