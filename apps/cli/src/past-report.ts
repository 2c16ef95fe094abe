// What an import of readings found and did, as JSON and for people.

import type { Backfilled } from '@roadworthy/platform/backfill/backfill'
import { counted } from './counted.ts'

export type PastOutcome = Backfilled & { readonly name: string; readonly notes: readonly string[]; readonly isCheck: boolean }

const MAX_SHOWN = 20

export function toAnswer({ name, found, stored, isCheck, newDevices, newVehicles, notes, sealedUntil }: PastOutcome) {
  const time = (at: Date | undefined) => at?.toISOString() ?? null
  return {
    ...{ from: name, checked_only: isCheck, records: found.recordCount, readings: found.readingCount, refused: found.refusedCount },
    ...{ first: time(found.firstRecordedAt), last: time(found.lastRecordedAt), devices: found.deviceCount, vehicles: found.vehicleCount },
    ...{ missing_devices: newDevices, missing_vehicles: newVehicles, in_files: found.sealedCount, sealed_until: time(sealedUntil) },
    reasons: found.reasons,
    refused_for_other_reasons: found.otherCount,
    warnings: found.warnings,
    left_out: notes,
    stored: stored?.newCount ?? null,
    known: stored?.knownCount ?? null,
  }
}

export function toText(outcome: PastOutcome): string {
  const { name, found, stored, isCheck, newDevices, newVehicles, notes } = outcome
  const span =
    found.firstRecordedAt === undefined ? '' : `, ${found.firstRecordedAt.toISOString()} to ${found.lastRecordedAt?.toISOString()}`
  const created = stored === undefined ? 'to create' : 'created'
  return [
    `${name}${isCheck ? ', checked; nothing was changed' : ''}`,
    `  readings      ${found.readingCount}${span}, of ${counted(found.deviceCount, 'device')} and ${counted(found.vehicleCount, 'vehicle')}`,
    ...(stored === undefined ? [] : [`  stored        ${stored.newCount}, and ${stored.knownCount} were there`]),
    ...(found.sealedCount === 0 ? [] : [`  in files      ${found.sealedCount}, of weeks that are sealed`]),
    ...listed(created, 'device', newDevices),
    ...listed(created, 'vehicle', newVehicles),
    ...found.warnings.slice(0, MAX_SHOWN).map(({ field, kind, count }) => `  warning       ${field}: ${kind}, ${counted(count, 'time')}`),
    ...notes.map((note) => `  left out      ${note}`),
    ...(found.refusedCount === 0 ? [] : [`  refused       ${found.refusedCount}`]),
    ...found.reasons.map(
      ({ text, count, places }) =>
        `    ${text}: ${count === 1 ? places[0] : `${count} times, ${places.join(', ')}${count > places.length ? ', …' : ''}`}`,
    ),
    ...(found.otherCount === 0 ? [] : ['    and more, for other reasons']),
    ...hintOf(outcome),
    ...(stored === undefined || newDevices.length === 0
      ? []
      : ['  next          rotate the credentials of a device that is to report here by itself']),
  ].join('\n')
}

function listed(created: string, what: string, names: readonly string[]): string[] {
  if (names.length === 0) return []
  const shown = names.slice(0, MAX_SHOWN).join(', ')
  return [`  ${created.padEnd(14)}${counted(names.length, what)}: ${shown}${names.length > MAX_SHOWN ? ', …' : ''}`]
}

function hintOf({ found }: PastOutcome): string[] {
  if (!found.reasons.some(({ text }) => / is not known/.test(text))) return []
  return [
    '    --create-devices creates devices by IMEI (14 to 16 digits) and vehicles by any name; --alias NAME=ID gives a name its device or vehicle here',
  ]
}
