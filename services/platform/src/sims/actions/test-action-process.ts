// For tests only, a process of its own: does the work of SIM actions that is due, and stops dead at one of its steps, so that whoever started it can
// kill it there.

import { openDatabase } from '@roadworthy/service-kit/postgres/db'
import { createSealer } from '@roadworthy/service-kit/process/sealed'
import { runDueJobs } from '../../jobs/job-worker.ts'
import { stopAt } from '../../test-steps.ts'
import { TEST_SECRET_KEY } from '../../test-support.ts'
import { createOperatorPool } from '../connections/operator-pool.ts'
import { OPERATOR_SECRETS } from '../connections/operator-secrets.ts'
import { testGuard } from '../operators/test-operator.ts'
import { freeGates } from '../operators/test-turns.ts'
import { actionJobs } from './run-action.ts'

export type ActionProcessTask = {
  readonly urls: { readonly app: string; readonly system: string }
  readonly at: string
  /** Counted from 1; more than there are: it ends by itself. */
  readonly stopAtStep: number
}

const { urls, at, stopAtStep } = JSON.parse(process.argv[2] ?? '') as ActionProcessTask
const now = () => new Date(at)
const { stepped, end } = stopAt(stopAtStep)

const opened = openDatabase(urls, { appConnections: 2, systemConnections: 2, acquireTimeoutMs: 60_000, onError: () => undefined })
const database = stepped(opened, 'database', ['tenantPool'])
const operators = createOperatorPool({
  sealer: createSealer(TEST_SECRET_KEY, OPERATOR_SECRETS),
  guard: testGuard,
  gates: freeGates(),
  now,
  limits: { connectMs: 5_000, totalMs: 700, maxAnswerBytes: 2_097_152 },
})
const deps = {
  database,
  now,
  operators: { of: (connection: Parameters<typeof operators.of>[0]) => stepped(operators.of(connection), 'operator') },
}
// The worker's own statements are those of every job, and tested there.
await runDueJobs({ database: opened, now: async () => now(), random: () => 0.5, log: { error: () => undefined } }, actionJobs(deps))
await opened.close()
end()
