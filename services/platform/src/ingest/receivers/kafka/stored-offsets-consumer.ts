// A member of a consumer group that begins at the offsets of the database, not at those of Kafka: there the offset is written with the readings.

import { Consumer, type ConsumerOptions, type ListCommitsOptions, ListOffsetTimestamps, type Offsets } from '@platformatic/kafka'
import type { LostOffset, OffsetStore } from '../../../streams/offset-store.ts'
import type { OffsetsPlace } from '../../../streams/offsets.sql.ts'
import type { StartAt } from '../../../streams/stream-connection.ts'

type Options = ConsumerOptions<Buffer, Buffer, Buffer, Buffer>

export type BeginningDeps = {
  readonly offsets: OffsetStore
  readonly topic: string
  readonly startAt: StartAt
  readonly place: (topicId: string) => OffsetsPlace
  /** What had not been read is not in the log any more. */
  readonly onLost: (lost: LostOffset) => void
}

/** The client asks its consumer for committed offsets whenever partitions are assigned: that is the one place this changes. */
export class StoredOffsetsConsumer extends Consumer<Buffer, Buffer, Buffer, Buffer> {
  readonly #deps: BeginningDeps
  #hasJustBegun = false

  constructor(options: Options, deps: BeginningDeps) {
    super(options)
    this.#deps = deps
  }

  override listCommittedOffsets(options: ListCommitsOptions, callback: (error: Error | null, offsets: Offsets) => void): void
  override listCommittedOffsets(options: ListCommitsOptions): Promise<Offsets>
  override listCommittedOffsets(
    options: ListCommitsOptions,
    callback?: (error: Error | null, offsets: Offsets) => void,
  ): Promise<Offsets> | undefined {
    const asking = this.#begin(options.topics.flatMap(({ partitions }) => partitions))
    if (callback === undefined) return asking
    // In a turn of its own: what it throws is not this promise's.
    asking.then(
      (offsets) => process.nextTick(callback, null, offsets),
      (error: Error) => process.nextTick(callback, error),
    )
    return undefined
  }

  /**
   * Where a broker gives topics no ids (before Kafka 2.8), a topic is known by its cluster and its name; one that is made again under that
   * name is then noticed only while it is shorter than what was read.
   */
  async topicPlace(): Promise<OffsetsPlace> {
    const { topic, place } = this.#deps
    const { id: clusterId, topics } = await this.metadata({ topics: [topic] })
    const topicId = topics.get(topic)?.id ?? topic
    return place(topicId === topic ? `${clusterId}/${topic}` : topicId)
  }

  async #begin(assigned: readonly number[]): Promise<Offsets> {
    const { offsets: store, topic } = this.#deps
    const place = await this.topicPlace()
    const [earliest, latest] = [await this.#list(ListOffsetTimestamps.EARLIEST), await this.#list(ListOffsetTimestamps.LATEST)]
    let stored = await store.select(place)
    const unknown = earliest.flatMap((_, partition) => (stored.has(partition) ? [] : [partition]))
    if (unknown.length > 0) {
      const found = await this.#firstOffsets(unknown, { earliest, latest, isTopicKnown: stored.size > 0 })
      await store.insertUnlessThere(place, found)
      stored = await store.select(place)
    }
    const offsets: bigint[] = []
    for (const partition of assigned) {
      const from = stored.get(partition) ?? 0n
      const [first = 0n, end = from] = [earliest[partition], latest[partition]]
      const isThere = from >= first && from <= end
      if (!isThere) {
        await store.updateLost(place, { partition, from, to: first })
        this.#deps.onLost({ partition, from, to: first })
      }
      offsets[partition] = isThere ? from : first
    }
    this.#hasJustBegun = true
    return new Map([[topic, offsets]])
  }

  /**
   * Call when the stream reports that it goes on elsewhere: after an assignment, which is dealt with above, or because what it wanted to read is
   * not in the log any more, from where it then reads on at the earliest there is.
   */
  async noteMovedOffsets(next: ReadonlyMap<string, bigint>): Promise<void> {
    const hadJustBegun = this.#hasJustBegun
    this.#hasJustBegun = false
    if (hadJustBegun) return
    const { offsets: store, topic } = this.#deps
    const place = await this.topicPlace()
    const [stored, earliest] = [await store.select(place), await this.#list(ListOffsetTimestamps.EARLIEST)]
    for (const partition of this.assignments?.flatMap(({ partitions }) => partitions) ?? []) {
      const [from, to, first] = [stored.get(partition), next.get(`${topic}:${partition}`), earliest[partition]]
      if (from === undefined || to === undefined || first === undefined) continue
      if (to < from) await store.updateLost(place, { partition, from, to })
      if (to < from || (first > from && to === first)) this.#deps.onLost({ partition, from, to })
    }
  }

  /**
   * What the group has committed, else as the connection sets. Stored for the whole topic at once, or a partition that nobody has read from
   * yet would begin later than was meant. One that is added to a known topic is new from its first message.
   */
  async #firstOffsets(
    partitions: readonly number[],
    { earliest, latest, isTopicKnown }: { earliest: readonly bigint[]; latest: readonly bigint[]; isTopicKnown: boolean },
  ): Promise<Map<number, bigint>> {
    const { topic, startAt } = this.#deps
    const committed = (await super.listCommittedOffsets({ topics: [{ topic, partitions: [...partitions] }] })).get(topic) ?? []
    const isFromEnd = startAt === 'latest' && !isTopicKnown
    return new Map(
      partitions.map((partition) => {
        const [first = 0n, end = 0n, said = -1n] = [earliest[partition], latest[partition], committed[partition]]
        const isValid = said >= first && said <= end
        return [partition, isValid ? said : isFromEnd ? end : first]
      }),
    )
  }

  async #list(timestamp: bigint): Promise<bigint[]> {
    const { topic } = this.#deps
    return (await this.listOffsets({ topics: [topic], timestamp })).get(topic) ?? []
  }
}
