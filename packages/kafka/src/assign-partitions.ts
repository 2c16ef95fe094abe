import type { GroupPartitionsAssigner, GroupPartitionsAssignments } from '@platformatic/kafka'

/**
 * Deals the partitions of each topic in turn to the members that read it. The client's own way deals them to every member of the group: while
 * members read different topics, as when one has heard of another topic before the rest, some partitions would be read by nobody.
 */
export const assignBySubscription: GroupPartitionsAssigner = (_leader, members, _topics, metadata) => {
  const assigned = new Map<string, GroupPartitionsAssignments>()
  for (const memberId of [...members.keys()].sort()) assigned.set(memberId, { memberId, assignments: new Map() })
  for (const [topic, { partitionsCount }] of metadata.topics) {
    const readers = [...assigned.values()].filter(({ memberId }) => members.get(memberId)?.topics?.includes(topic) === true)
    for (const [nth, { assignments }] of readers.entries()) {
      const partitions = Array.from({ length: partitionsCount }, (_, partition) => partition).filter(
        (each) => each % readers.length === nth,
      )
      assignments.set(topic, { topic, partitions })
    }
  }
  return [...assigned.values()]
}
