// How a part fails, in the words of the two standards: J1939-73 failure mode identifiers (FMI), and the failure-type byte behind a J2012 code.

import { type NumberRow, statedIn } from '../../provenance.ts'

/** `circuit`: it is about the wiring or the signal, not about what the signal measures. */
type FailureMode = {
  readonly text: string
  readonly level: 'severe' | 'moderate' | 'least' | 'circuit' | 'fault'
  readonly side?: 'above' | 'below'
}

/** 22 to 30 are reserved. */
export const failureModes: ReadonlyMap<number, FailureMode> = new Map<number, FailureMode>([
  [0, { text: 'above normal, most severe level', level: 'severe', side: 'above' }],
  [1, { text: 'below normal, most severe level', level: 'severe', side: 'below' }],
  [2, { text: 'erratic or incorrect signal', level: 'circuit' }],
  [3, { text: 'voltage above normal', level: 'circuit' }],
  [4, { text: 'voltage below normal', level: 'circuit' }],
  [5, { text: 'current below normal or circuit open', level: 'circuit' }],
  [6, { text: 'current above normal or circuit grounded', level: 'circuit' }],
  [7, { text: 'part does not move as commanded', level: 'fault' }],
  [8, { text: 'abnormal frequency or pulse width', level: 'circuit' }],
  [9, { text: 'abnormal update rate', level: 'circuit' }],
  [10, { text: 'abnormal rate of change', level: 'circuit' }],
  [11, { text: 'cause not known', level: 'fault' }],
  [12, { text: 'control unit or part failed', level: 'fault' }],
  [13, { text: 'out of calibration', level: 'circuit' }],
  [14, { text: 'see the maker’s instructions', level: 'fault' }],
  [15, { text: 'above normal, least severe level', level: 'least', side: 'above' }],
  [16, { text: 'above normal, moderately severe level', level: 'moderate', side: 'above' }],
  [17, { text: 'below normal, least severe level', level: 'least', side: 'below' }],
  [18, { text: 'below normal, moderately severe level', level: 'moderate', side: 'below' }],
  [19, { text: 'data from the network in error', level: 'circuit' }],
  [20, { text: 'reading drifted high', level: 'circuit' }],
  [21, { text: 'reading drifted low', level: 'circuit' }],
  [31, { text: 'condition exists', level: 'severe' }],
])

/** Those of a level that name a side of normal, or that name none. */
const modesOf = (level: FailureMode['level'], hasSide: boolean) =>
  [...failureModes].filter(([, mode]) => mode.level === level && (mode.side !== undefined) === hasSide).map(([fmi]) => fmi)

const ENUMERATION = 'SAE J1939-73, as enumerated in DanielMartensson/Open-SAE-J1939 (MIT)'

export const failureModeNumbers: readonly NumberRow[] = statedIn('failure-modes', [
  [
    { severe: modesOf('severe', true), moderate: modesOf('moderate', true), least: modesOf('least', true) },
    'FMI',
    'literature',
    `${ENUMERATION}: most severe, moderately severe and least severe level above or below normal.`,
  ],
  [
    { circuit: modesOf('circuit', false), fault: modesOf('fault', false) },
    'FMI',
    'assumption',
    `The modes are those of ${ENUMERATION}; which of them are about a circuit or its signal, and which about the part, is a judgement.`,
  ],
  [
    { conditionExists: modesOf('severe', false) },
    'FMI',
    'assumption',
    `${ENUMERATION}: condition exists. It has no level; of a status it is taken for the most severe one, of a reading for a moderate one.`,
  ],
])

/** The first digit of a failure-type byte (ISO 15031-6, SAE J2012-DA): its category. */
const failureCategories: Readonly<Record<string, string>> = {
  '0': 'general failure',
  '1': 'electrical failure',
  '2': 'signal failure',
  '3': 'pulse signal failure',
  '4': 'internal failure of the control unit',
  '5': 'programming failure of the control unit',
  '6': 'implausible in calculation',
  '7': 'mechanical failure',
  '8': 'bus message failure',
  '9': 'failure of the part',
}

/** Bytes whose meaning is more specific than their category; texts are our own. */
const failureTypes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '01': 'electrical failure',
    '02': 'signal failure',
    '04': 'internal failure',
    '05': 'programming failure',
    '07': 'mechanical failure',
    '08': 'bus failure',
    '09': 'part failed',
    '11': 'short to ground',
    '12': 'short to battery',
    '13': 'open circuit',
    '14': 'short to ground or open circuit',
    '15': 'short to battery or open circuit',
    '16': 'voltage too low',
    '17': 'voltage too high',
    '18': 'current too low',
    '19': 'current too high',
    '1A': 'resistance too low',
    '1B': 'resistance too high',
    '1C': 'voltage out of range',
    '1D': 'current out of range',
    '1E': 'resistance out of range',
    '1F': 'comes and goes',
    '21': 'signal too small',
    '22': 'signal too large',
    '23': 'signal stuck low',
    '24': 'signal stuck high',
    '25': 'wrong signal shape',
    '26': 'signal changes too slowly',
    '27': 'signal changes too fast',
    '28': 'zero point out of range',
    '29': 'invalid signal',
    '2A': 'signal stuck',
    '2F': 'erratic signal',
    '31': 'no signal',
    '36': 'frequency too low',
    '37': 'frequency too high',
    '38': 'wrong frequency',
    '41': 'checksum wrong',
    '42': 'memory failure',
    '47': 'watchdog',
    '49': 'electronics failed',
    '4A': 'wrong part fitted',
    '4B': 'too hot',
    '51': 'not programmed',
    '54': 'calibration missing',
    '55': 'not configured',
    '56': 'wrong configuration',
    '57': 'wrong software',
    '61': 'calculation failed',
    '62': 'signals contradict each other',
    '63': 'switched off to protect the part',
    '64': 'implausible signal',
    '66': 'too many events',
    '67': 'wrong signal after an event',
    '68': 'event information',
    '71': 'actuator stuck',
    '72': 'actuator stuck open',
    '73': 'actuator stuck closed',
    '74': 'actuator slips',
    '76': 'fitted in the wrong position',
    '77': 'commanded position not reached',
    '78': 'wrong alignment',
    '79': 'linkage failed',
    '7A': 'leak',
    '7B': 'fluid level low',
    '81': 'invalid data received',
    '82': 'counter not updated',
    '83': 'wrong checksum of a signal',
    '84': 'value below its range',
    '85': 'value above its range',
    '86': 'invalid value',
    '87': 'message missing',
    '88': 'bus off',
    '91': 'out of its parameters',
    '92': 'works wrongly',
    '93': 'does not work',
    '94': 'works unexpectedly',
    '95': 'assembled wrongly',
    '96': 'failed inside',
    '97': 'blocked',
    '98': 'too hot',
    '9A': 'operated beyond its conditions',
  }),
)

/** `byte`: two hexadecimal digits. From A0 on they are reserved, and makers use them as their own. `00` has no meaning. */
export function failureTypeText(byte: string): string | undefined {
  if (byte === '00') return undefined
  return failureTypes.get(byte) ?? failureCategories[byte[0] ?? ''] ?? `failure type ${byte} of the maker`
}
