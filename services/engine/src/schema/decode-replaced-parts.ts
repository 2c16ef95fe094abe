import { MAX_COMPONENT_LENGTH, MAX_REPLACED_PARTS } from '@roadworthy/contracts/engine-v1/input'
import type { ReplacedPart } from '@roadworthy/prognostics/inputs/observation'
import { lifeComponents } from '@roadworthy/prognostics/lives/life-models'
import { parseRfc3339 } from '@roadworthy/service-kit/time/rfc3339'
import { signals } from '@roadworthy/signals/registry'

const UNREADABLE = 'parts without a component and an odometerKm or replacedAt that can be read were left out'

/** What of it can be used, and why the rest cannot. A part of unknown age is treated as one that was not reported. */
export function decodeReplacedParts(value: unknown): { parts: ReplacedPart[] | undefined; reason: string | undefined } {
  if (!Array.isArray(value)) return { parts: undefined, reason: 'it is not an array' }
  const decoded = value.slice(0, MAX_REPLACED_PARTS).map(decodePart)
  const readable = decoded.filter((part) => part !== undefined)
  const parts = readable.filter(({ component }) => hasLife(component))
  const reasons = [
    ...(value.length > MAX_REPLACED_PARTS ? [`only the first ${MAX_REPLACED_PARTS} parts were read`] : []),
    ...(readable.length < decoded.length ? [UNREADABLE] : []),
    ...(parts.length < readable.length ? [withoutLife(readable)] : []),
  ]
  return { parts, reason: reasons.length === 0 ? undefined : reasons.join('; ') }
}

function hasLife(component: string): boolean {
  return lifeComponents.some((known) => known === component)
}

function withoutLife(parts: readonly ReplacedPart[]): string {
  const named = parts.find(({ component }) => !hasLife(component))?.component
  return `${JSON.stringify(named)} has no life that a replacement would begin anew; those that have are ${lifeComponents.join(', ')}`
}

function decodePart(value: unknown): ReplacedPart | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { component, odometerKm, replacedAt } = value as Readonly<Record<string, unknown>>
  if (typeof component !== 'string' || component === '' || component.length > MAX_COMPONENT_LENGTH) return undefined
  const { min, max } = signals.odometerKm
  const part = {
    component,
    odometerKm: typeof odometerKm === 'number' && odometerKm >= min && odometerKm <= max ? odometerKm : undefined,
    atMs: typeof replacedAt === 'string' ? parseRfc3339(replacedAt) : undefined,
  }
  return part.odometerKm === undefined && part.atMs === undefined ? undefined : part
}
