// What the platform and its stream receiver send to each other.

import type { StreamConnectionTest } from '@roadworthy/contracts/platform-v1/stream-connection'
import type { DatabaseUrls } from '@roadworthy/service-kit/postgres/db'
import type { TraceOptions } from '@roadworthy/service-kit/telemetry/trace-settings'
import type { IngestCounts } from './http/metrics.ts'

/** The first message, and the only one with secrets: they are neither in arguments nor in the environment, which others can read. */
export type ReceiverConfiguration = {
  readonly databaseUrls: Pick<DatabaseUrls, 'app' | 'system' | 'direct' | 'isPooled'>
  /** Whether streams are read; else connections are tested only. */
  readonly isReading: boolean
  readonly secretKey: string
  readonly streamAllowCidrs: string
  readonly readingsMaxAgeDays: number
  readonly readingsMaxFutureS: number
  readonly logLevel: string
  readonly tracing?: TraceOptions | undefined
}

export type ToReceiver =
  | { readonly kind: 'configure'; readonly configuration: ReceiverConfiguration }
  | { readonly kind: 'test'; readonly id: number; readonly resellerId: string }

export type FromReceiver =
  | {
      readonly kind: 'status'
      readonly lagMessageCount: number
      readonly connectedCount: number
      readonly threadCount: number
      readonly residentBytes: number
      /** Since the last status. */
      readonly ingested: IngestCounts
      readonly deadLetterCodes: readonly string[]
    }
  | { readonly kind: 'tested'; readonly id: number; readonly result: StreamConnectionTest | undefined }
