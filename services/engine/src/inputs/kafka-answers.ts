// The answers to a batch, in as few requests as the broker allows.
import type { KafkaMessage, Outgoing } from '@roadworthy/kafka/kafka-client'
import type { Outcome } from './answer-message.ts'

/** Half of what brokers take in one batch by default (`message.max.bytes`, 1 MiB). */
const MAX_PART_BYTES = 512 * 1024

export type Judged = { readonly message: KafkaMessage; readonly outcome: Outcome }
type To = {
  readonly topic: string
  /** False where it is larger than the topic takes. */
  readonly send: (messages: readonly Outgoing[]) => Promise<boolean>
}
type Answer = { readonly judged: Judged; readonly outgoing: Outgoing }

/** What becomes of each message: one whose answer is larger than the topic takes is poison, as those behind it would never be answered. */
export async function sendAnswers(judged: readonly Judged[], to: To): Promise<readonly Judged[]> {
  const refused = new Map<Judged, Outcome>()
  for (const part of inParts(judged.flatMap((each) => toAnswer(each, to.topic)))) {
    if (await to.send(part.map(({ outgoing }) => outgoing))) continue
    for (const { judged: one, outgoing } of part) if (!(await to.send([outgoing]))) refused.set(one, refusedAnswer(outgoing))
  }
  return judged.map((each) => ({ ...each, outcome: refused.get(each) ?? each.outcome }))
}

function toAnswer(judged: Judged, topic: string): Answer[] {
  const { outcome } = judged
  return outcome.kind === 'answer' ? [{ judged, outgoing: { topic, key: Buffer.from(outcome.vehicleId), value: outcome.body } }] : []
}

function refusedAnswer({ topic, value }: Outgoing): Outcome {
  const reason = `The answer of ${value?.length} bytes is larger than the topic "${topic}" takes.`
  return { kind: 'poison', poison: { code: 'answer_refused', reason } }
}

/** Messages of one partition go as one batch, and it is the batch that a broker refuses as too large. */
function inParts(answers: readonly Answer[]): Answer[][] {
  const parts: Answer[][] = []
  let partBytes = Number.POSITIVE_INFINITY
  for (const answer of answers) {
    const bytes = (answer.outgoing.value?.length ?? 0) + (answer.outgoing.key?.length ?? 0)
    if (partBytes + bytes > MAX_PART_BYTES) {
      parts.push([])
      partBytes = 0
    }
    parts.at(-1)?.push(answer)
    partBytes += bytes
  }
  return parts
}
