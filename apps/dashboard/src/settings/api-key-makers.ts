import type { AuditEntry } from '@roadworthy/contracts/platform-v1/audit'

type Making = Pick<AuditEntry, 'objectId' | 'changes'> & { readonly actor: Pick<AuditEntry['actor'], 'id' | 'name'> }

/** Who made each key, by its id. A key that came of a rotation is named in what changed of the one before. */
export function makersOf(entries: readonly Making[]): ReadonlyMap<string, string> {
  return new Map(entries.map(({ objectId, changes, actor }) => [String(changes['replacedBy']?.to ?? objectId), actor.name ?? actor.id]))
}
