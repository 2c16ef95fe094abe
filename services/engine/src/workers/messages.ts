// What the workers of an engine and the process that started them send to each other.

import type { EngineStatistics } from '@roadworthy/contracts/engine-v1/status'
import type { MetricObject } from 'prom-client'

/** What a worker has counted since it started. */
export type Counted = { readonly statistics: EngineStatistics; readonly metrics: readonly MetricObject[] }

export type ToPrimary =
  | { readonly kind: 'listening'; readonly url: string }
  /** Asks for what all workers have counted. */
  | { readonly kind: 'collect'; readonly id: number }
  | { readonly kind: 'counted'; readonly round: number; readonly counted: Counted }

export type ToWorker =
  | { readonly kind: 'stop' }
  | { readonly kind: 'read_models'; readonly force: boolean }
  | { readonly kind: 'count'; readonly round: number }
  | { readonly kind: 'collected'; readonly id: number; readonly all: readonly Counted[] }
