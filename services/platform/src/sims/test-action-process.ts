// For tests only, a process of its own: does the work of SIM actions that is due, and stops dead at one of its steps, so that whoever started it can
// kill it there. A step is what reaches out of the process: before and after each statement or transaction, and each call of the operator.

import { openDatabase } from '@roadworthy/service-kit/db'
import { createSealer } from '@roadworthy/service-kit/sealed'
import { runDueJobs } from '../jobs/job-worker.ts'
import { TEST_SECRET_KEY } from '../test-support.ts'
import { createOperatorPool } from './operator-pool.ts'
import { OPERATOR_SECRETS } from './operator-secrets.ts'
import { testGuard } from './operators/test-operator.ts'
import { freeGates } from './operators/test-turns.ts'
import { actionJobs } from './run-action.ts'

export type ActionProcessTask = {
  readonly urls: { readonly app: string; readonly system: string }
  readonly at: string
  /** Counted from 1; more than there are: it ends by itself. */
  readonly stopAtStep: number
}

const { urls, at, stopAtStep } = JSON.parse(process.argv[2] ?? '') as ActionProcessTask
const now = () => new Date(at)
let step = 0

async function reach(what: string): Promise<void> {
  step++
  if (step !== stopAtStep) return
  process.stdout.write(`stopped ${what}\n`)
  // Whoever started this process ends it.
  await new Promise(() => setInterval(() => undefined, 60_000))
}

/** The same object, whose methods stop before and after. Those named in `inner` answer an object of this kind. */
function stepped<T extends object>(object: T, name: string, inner: readonly string[] = []): T {
  return new Proxy(object, {
    get: (target, key) => {
      const member = Reflect.get(target, key) as unknown
      if (typeof member !== 'function') return member
      const call = (...given: unknown[]) => (member as (...all: unknown[]) => unknown).apply(target, given)
      if (inner.includes(String(key))) return (...given: unknown[]) => stepped(call(...given) as object, `${name}.${String(key)}`)
      return async (...given: unknown[]) => {
        await reach(`before ${name}.${String(key)}`)
        const answer = await call(...given)
        await reach(`after ${name}.${String(key)}`)
        return answer
      }
    },
  })
}

const opened = openDatabase(urls, { appConnections: 2, systemConnections: 2, onError: () => undefined })
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
process.stdout.write(`ended after ${step}\n`)
