// What happened on a day in words: the twin of the map for those who have none.

import type { Alert } from '@roadworthy/contracts/platform-v1/alerts'
import type { Track } from '@roadworthy/contracts/platform-v1/track'

export type Entry =
  | { readonly kind: 'drive' | 'stop' | 'gap'; readonly fromMs: number; readonly toMs: number; readonly place: Place | undefined }
  | { readonly kind: 'alert'; readonly fromMs: number; readonly toMs: number; readonly place: Place | undefined; readonly alert: Alert }

type Place = { readonly latitude: number; readonly longitude: number }

/** Stops, gaps and what lies between them, with the alerts, by time. */
export function courseOfDay({ points, stops, gaps }: Pick<Track, 'points' | 'stops' | 'gaps'>, alerts: readonly Alert[]): Entry[] {
  const placeAt = (atMs: number) => points.findLast(({ at }) => Date.parse(at) <= atMs) ?? points[0]
  const still: Entry[] = [
    ...stops.map(({ from, to, ...place }) => ({ kind: 'stop' as const, ...spanOf(from, to), place })),
    ...gaps.map(({ from, to }) => ({ kind: 'gap' as const, ...spanOf(from, to), place: placeAt(Date.parse(from)) })),
  ].sort((a, b) => a.fromMs - b.fromMs)
  const [first, last] = [points[0], points.at(-1)]
  const drives: Entry[] = []
  let driveFromMs = first === undefined ? Number.POSITIVE_INFINITY : Date.parse(first.at)
  for (const { fromMs, toMs } of [...still, endingAt(last === undefined ? 0 : Date.parse(last.at))]) {
    if (fromMs > driveFromMs) drives.push({ kind: 'drive', fromMs: driveFromMs, toMs: fromMs, place: placeAt(driveFromMs) })
    driveFromMs = Math.max(driveFromMs, toMs)
  }
  const raised = alerts.map((alert) => {
    const atMs = Date.parse(alert.timestamp)
    return { kind: 'alert' as const, fromMs: atMs, toMs: atMs, place: placeAt(atMs), alert }
  })
  return [...drives, ...still, ...raised].sort((a, b) => a.fromMs - b.fromMs)
}

const endingAt = (atMs: number) => ({ fromMs: atMs, toMs: atMs })

function spanOf(from: string, to: string): { fromMs: number; toMs: number } {
  return { fromMs: Date.parse(from), toMs: Date.parse(to) }
}
