import type { SubClient, SubClientChange } from '@roadworthy/contracts/platform-v1/sub-clients'

export type LimitName = keyof SubClient['limits']
export const limitNames = ['devices', 'readingsPerMonth', 'predictionsPerMonth'] as const satisfies readonly LimitName[]

/** As typed: an empty text is no value. */
export type SubClientEdits = {
  readonly name?: string
  readonly contactEmail?: string
  readonly contactPhone?: string
  readonly limits?: Partial<Record<LimitName, string | number>>
}

/** What differs from the sub-client as it is. */
export function subClientChanges(
  subClient: Pick<SubClient, 'name' | 'contactEmail' | 'contactPhone' | 'limits'>,
  edits: SubClientEdits,
): SubClientChange {
  const { limits: typed = {}, name, ...contact } = edits
  const contacts = Object.entries(contact)
    .map(([field, text]) => [field, text.trim() === '' ? null : text.trim()] as const)
    .filter(([field, value]) => value !== subClient[field as keyof typeof contact])
  const limits = limitNames
    .filter((each) => typed[each] !== undefined)
    .map((each) => [each, typeof typed[each] === 'number' ? typed[each] : null] as const)
    .filter(([each, value]) => value !== subClient.limits[each])
  return {
    ...(name === undefined || name.trim() === subClient.name ? {} : { name: name.trim() }),
    ...Object.fromEntries(contacts),
    ...(limits.length === 0 ? {} : { limits: Object.fromEntries(limits) }),
  }
}
