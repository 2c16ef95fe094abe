// A broker holds a fetch that finds nothing new for as long as it was asked to. One that answers at once, with nothing that moves the reader on, would be
// asked again at once, for ever: a core that is busy with nothing. Here the next fetch of that broker waits for what is left of the time.
import type { FetchOptions } from '@platformatic/kafka'
import { type BytesConsumer, FETCH_WAIT_MS } from './kafka-client.ts'

type Answer = Awaited<ReturnType<BytesConsumer['fetch']>>
type Options = FetchOptions<Buffer, Buffer, Buffer, Buffer>
type Asked = { readonly positions: string; readonly atMs: number; hasBroughtRecords: boolean }

/** Of one consumer, by the broker that is asked. */
export class FetchPace {
  readonly #last = new Map<number, Asked>()

  /** How long to wait before these topics are fetched, which is then noted as done. */
  delayMs({ node, topics }: Pick<Options, 'node' | 'topics'>, nowMs: number): number {
    const positions = topics
      .flatMap(({ topicId, partitions }) => partitions.map(({ partition, fetchOffset }) => `${topicId}:${partition}:${fetchOffset}`))
      .join()
    const last = this.#last.get(node)
    const hasMovedOn = last === undefined || (last.hasBroughtRecords && last.positions !== positions)
    const delayMs = hasMovedOn ? 0 : Math.max(0, last.atMs + FETCH_WAIT_MS - nowMs)
    this.#last.set(node, { positions, atMs: nowMs + delayMs, hasBroughtRecords: false })
    return delayMs
  }

  /** Records that do not move the reader on show by the next fetch, which is for the same positions. */
  noteAnswer(node: number, answer: Answer | undefined): void {
    const last = this.#last.get(node)
    if (last !== undefined) last.hasBroughtRecords = answer?.responses.some(hasRecords) === true
  }
}

const hasRecords = ({ partitions }: Answer['responses'][number]) => partitions.some(({ records }) => (records?.length ?? 0) > 0)

/** From here on this consumer, and the streams it makes, fetch at the pace of what comes. */
export function paceFetches(consumer: BytesConsumer): void {
  const fetch = consumer.fetch.bind(consumer)
  const pace = new FetchPace()
  const paced = (options: Options, callback: (error: Error | null, answer?: Answer) => void) => {
    const send = () =>
      fetch(options, (error, answer) => {
        pace.noteAnswer(options.node, answer)
        callback(error, answer)
      })
    const delayMs = pace.delayMs(options, performance.now())
    if (delayMs > 0) setTimeout(send, delayMs)
    else send()
  }
  consumer.fetch = paced as BytesConsumer['fetch']
}
