// What a figure of a model means, in a sentence for who mends vehicles.

import { entryOf } from '@roadworthy/wording/entry-of'
import { decimalNumber, percent, wholeNumber } from '../text/format.ts'
import { t } from '../text/translate.ts'

type Words = { readonly label: string; readonly text: string; readonly write: (value: number) => string }

const smallPercent = (share: number) => `${decimalNumber(100 * share, 2)} %`
const twoDecimals = (value: number) => decimalNumber(value, 2)

const known: Readonly<Record<string, Words>> = {
  measured_engine_hours: {
    label: t('Driving it was measured on'),
    text: t('Hours of recorded driving that were kept aside and not used to make it.'),
    write: (hours) => t('{hours} h', { hours: decimalNumber(hours, 1) }),
  },
  false_alarms_per_100_engine_hours: {
    label: t('False alarms in 100 hours'),
    text: t('How often it warned of a sound vehicle. Few hours were measured: the true number may be higher.'),
    write: twoDecimals,
  },
  measured_false_alarms_per_engine_hour: {
    label: t('False alarms in an hour'),
    text: t('How often it called sound driving unusual.'),
    write: twoDecimals,
  },
  expected_false_alarms_per_engine_hour: {
    label: t('False alarms in an hour, at most'),
    text: t('What it promises of vehicles like those it learned from.'),
    write: twoDecimals,
  },
  expected_false_alarm_share_of_stretches: {
    label: t('Sound stretches called unusual, at most'),
    text: t('The share that it promises, of stretches of five minutes.'),
    write: smallPercent,
  },
  measured_false_alarm_share_of_readings: {
    label: t('Sound readings called unusual'),
    text: t('The share that it called unusual in driving that was kept aside.'),
    write: smallPercent,
  },
  injected_faults: {
    label: t('Faults it was tried on'),
    text: t('Put into recordings of sound vehicles, because no recordings of real failures were to be had.'),
    write: wholeNumber,
  },
  injected_faults_found_share: {
    label: t('Of these found in time'),
    text: t('The share of those faults that it reported within two minutes of their showing.'),
    write: percent,
  },
  least_found_share_of_a_fault: {
    label: t('Found of the hardest fault'),
    text: t('There are faults that it hardly finds. This is the share of the one it finds least.'),
    write: percent,
  },
  rules: { label: t('Rules'), text: t('Checks that each reading goes through.'), write: wholeNumber },
  fault_codes: { label: t('Fault codes it knows'), text: t('Codes of SAE J2012 with a part and a meaning.'), write: wholeNumber },
  suspect_parameters: {
    label: t('Truck parameters it knows'),
    text: t('Parameters of SAE J1939 with a part and a meaning.'),
    write: wholeNumber,
  },
  components: { label: t('Parts it judges'), text: t('Parts of a vehicle that get a score or a remaining life.'), write: wholeNumber },
  fitted_lives: {
    label: t('Parts that follow your own fleet'),
    text: t('At the others remaining life rests on published lives and assumptions.'),
    write: wholeNumber,
  },
  situations: { label: t('Situations it learned from'), text: t('Moments of sound driving.'), write: wholeNumber },
}

/** A figure without words of its own is shown by its name: a model of a fleet may have any. */
export function wordsOf(name: string): Words {
  return entryOf(known, name) ?? { label: name, text: '', write: (value) => decimalNumber(value, 4) }
}

export type Band = { readonly signal: string; readonly measured: number; readonly promised: number }

const COVERAGE = /^(.+)_coverage(\d\d)$/

/** Bands that promise to hold a share of sound readings, beside the share they held. */
export function bandsOf(metrics: Readonly<Record<string, number>>): Band[] {
  return Object.entries(metrics).flatMap(([name, measured]) => {
    const [, signal, promised] = COVERAGE.exec(name) ?? []
    return signal === undefined ? [] : [{ signal, measured, promised: Number(promised) / 100 }]
  })
}

/** Those that are not in the picture of the bands, the ones with words first. */
export function listedMetrics(metrics: Readonly<Record<string, number>>): [name: string, value: number][] {
  const inPicture = bandsOf(metrics).map(({ signal }) => `${signal}_`)
  const rest = Object.entries(metrics).filter(([name]) => !inPicture.some((beginning) => name.startsWith(beginning)))
  return rest.sort(([a], [b]) => Number(b in known) - Number(a in known))
}

/** Of sound driving so large a share is called unusual, as the models that learned from it promise. */
export function promisedShare(models: readonly { readonly metrics: Readonly<Record<string, number>> }[]): number | undefined {
  return models.map(({ metrics }) => metrics['expected_false_alarm_share_of_stretches']).find((share) => share !== undefined)
}
