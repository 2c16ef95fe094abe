// Groups of which nothing can be done for a while, such as the actions at an operator that does not answer. Kept in the memory of a process: another one
// finds out by itself.

import type { ClaimedJob, JobOutcome } from './job.ts'
import type { GroupUse } from './jobs.sql.ts'

type Group = Pick<ClaimedJob, 'kind' | 'resellerId' | 'group'>

export class GroupRests {
  /** One that is over is here until an outcome shows that the group can be worked on. */
  readonly #rests = new Map<string, Group & { readonly until: Date }>()

  note(job: ClaimedJob, outcome: JobOutcome): void {
    const { kind, resellerId, group } = job
    const until = outcome === 'done' ? undefined : outcome.groupRestsUntil
    if (until === undefined) this.#rests.delete(keyOf(job))
    else this.#rests.set(keyOf(job), { kind, resellerId, group, until })
  }

  /** Every group of the kind that is not as free as one that nothing is known of. */
  groupsOf(
    kind: string,
    { underWay, perGroup, at }: { readonly underWay: readonly ClaimedJob[]; readonly perGroup: number; readonly at: Date },
  ): GroupUse[] {
    const counts = Map.groupBy(underWay, keyOf)
    const resting = [...this.#rests.values()].filter((rest) => rest.kind === kind)
    const known = new Map([...underWay, ...resting].map((group) => [keyOf(group), group]))
    return [...known].map(([key, { resellerId, group }]) => {
      const rest = this.#rests.get(key)
      const most = rest === undefined ? perGroup : rest.until > at ? 0 : 1
      return { resellerId, group, underWay: counts.get(key)?.length ?? 0, most }
    })
  }
}

function keyOf({ kind, resellerId, group }: Group): string {
  return JSON.stringify([kind, resellerId, group])
}
