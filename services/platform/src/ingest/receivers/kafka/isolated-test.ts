// The test of a connection, in a thread of its own: it talks with the same brokers as the reading does.

import { type StreamConnectionTest, streamTestSteps } from '@roadworthy/contracts/platform-v1/stream-connection'
import type { Logger } from '@roadworthy/service-kit/telemetry/log'
import type { SampleMessage } from '../../../streams/probe-cluster.ts'
import type { StreamSecrets } from '../../../streams/secrets.ts'
import type { StreamConnection } from '../../../streams/stream-connection.ts'
import type { JudgeSample } from '../../../streams/try-connection.ts'
import type { ReaderTask } from './reader-task.ts'
import { startWatchedThread } from './watched-thread.ts'

type Step = StreamConnectionTest['steps'][number]
type Content = { readonly step?: Step; readonly result?: StreamConnectionTest }

export type IsolatedTestDeps = {
  readonly judgeSample: JudgeSample
  readonly allowCidrs: string
  readonly log: Logger
  readonly script?: URL
}

const READER_THREAD = new URL('./reader-thread.ts', import.meta.url)
/** Each step has bounds of its own, which add up to half of this. */
const TEST_BOUND_MS = 60_000

/** Never rejects for what the other side does. */
export async function runIsolatedTest(
  { judgeSample, allowCidrs, log, script = READER_THREAD }: IsolatedTestDeps,
  connection: StreamConnection,
  secrets: StreamSecrets,
): Promise<StreamConnectionTest> {
  const { resellerId } = connection
  const steps: Step[] = []
  let result: StreamConnectionTest | undefined
  const task: ReaderTask = { kind: 'test', connection, secrets, allowCidrs, maxAheadMs: 0, logLevel: log.level, isTraced: false }
  const thread = startWatchedThread({
    script,
    data: task,
    calls: { judgeSample: (message: SampleMessage) => judgeSample(resellerId, asBuffers(message)) },
    onContent: (content) => {
      const said = content as Content
      if (said.step !== undefined) steps.push(said.step)
      result ??= said.result
    },
  })
  const late = setTimeout(() => void thread.terminate(), TEST_BOUND_MS)
  const reason = await thread.ended
  clearTimeout(late)
  return result ?? brokenOff(steps, reason ?? `It did not come to an end within ${TEST_BOUND_MS / 1000} s.`)
}

/** The step that was under way has failed. */
function brokenOff(done: readonly Step[], reason: string): StreamConnectionTest {
  const failed = streamTestSteps[done.length]
  const rest = streamTestSteps.slice(done.length).map((step): Step => {
    if (step === failed) return { step, status: 'failed', detail: reason, duration_ms: 0 }
    return { step, status: 'skipped', detail: `Not tried, because ${failed} failed.`, duration_ms: 0 }
  })
  return { success: false, steps: [...done, ...rest] }
}

/** Buffers arrive as plain arrays of bytes. */
function asBuffers({ key, value, headers, ...rest }: SampleMessage): SampleMessage {
  const toBuffer = (content: Uint8Array) => Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  const named = [...headers].map(([name, content]) => [toBuffer(name), toBuffer(content)] as const)
  return {
    ...rest,
    headers: new Map(named),
    ...(key === undefined ? {} : { key: toBuffer(key) }),
    ...(value === undefined ? {} : { value: toBuffer(value) }),
  } as SampleMessage
}
