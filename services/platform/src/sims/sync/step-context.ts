import type { Database, Db } from '@roadworthy/service-kit/postgres/db'
import type { SealedConnection } from '../connections/connection.ts'
import type { OperatorPool } from '../connections/operator-pool.ts'
import type { Sync, SyncProgress, SyncStep } from './sync.ts'

export type SyncDeps = {
  readonly database: Database
  readonly operators: OperatorPool
  readonly now: () => Date
}

/** What a step is taken in. */
export type StepContext = SyncDeps & {
  readonly sync: Sync
  readonly connection: SealedConnection
  readonly progress: SyncProgress
  readonly signal: AbortSignal
}
/** Stores what the operator answered, in the transaction that stores the step. */
export type StoreStep = (db: Db, at: Date) => Promise<SyncStep>
