// What a reader thread is given, and what it sends back while it runs.

import type { StreamSecrets } from '../../../streams/secrets.ts'
import type { StreamConnection } from '../../../streams/stream-connection.ts'
import type { ReportedStatus } from './consumer-report.ts'

export type ReaderTask = {
  readonly kind: 'read' | 'test'
  readonly connection: StreamConnection
  readonly secrets: StreamSecrets
  readonly allowCidrs: string
  readonly maxAheadMs: number
  readonly logLevel: string
  readonly isTraced: boolean
}

/** Sent with every beat. */
export type ThreadContent = { readonly status: ReportedStatus; readonly deadLetterCodes: readonly string[] }
