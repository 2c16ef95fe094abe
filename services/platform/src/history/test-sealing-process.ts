// For tests only: a process that seals a week, or rewrites files without a vehicle, and stops dead at one of its steps (`test-steps.ts`), where it is killed.

import { openDatabase } from '@roadworthy/service-kit/postgres/db'
import { stopAt } from '../test-steps.ts'
import { createFolderStore } from './file-store.ts'
import { isOf, rewriteWithout } from './rewrite-files.ts'
import { sealWeeks } from './seal-weeks.ts'
import { openSlowSession } from './sealing-session.ts'
import { requireDuckdb } from './test-history.ts'

export type SealingTask = {
  readonly urls: { readonly app: string; readonly system: string }
  readonly folder: string
  readonly work:
    | { readonly partition: string; readonly from: string; readonly to: string }
    | { readonly resellerId: string; readonly withoutVehicleId: string }
  readonly stopAtStep: number
}

const { urls, folder, work, stopAtStep } = JSON.parse(process.argv[2] ?? '{}') as SealingTask
const steps = stopAt(stopAtStep)
const database = openDatabase(urls, { appConnections: 1, systemConnections: 2, acquireTimeoutMs: 60_000, onError: () => undefined })
const slow = await openSlowSession(urls.system)
const deps = {
  // Each statement of the transaction that makes the week's files live is a step too.
  database: {
    ...database,
    systemPool: steps.stepped(database.systemPool, 'pool'),
    system: <T>(run: Parameters<typeof database.system<T>>[0]) => database.system((db) => run(steps.stepped(db, 'transaction'))),
  },
  slowDb: steps.stepped(slow.db, 'readings'),
  store: steps.stepped(createFolderStore(folder), 'store'),
  duckdb: await requireDuckdb(),
}
if ('partition' in work) {
  await sealWeeks(deps, [{ ...work, from: new Date(work.from), to: new Date(work.to) }], new AbortController().signal)
} else {
  await rewriteWithout(deps, work.resellerId, isOf({ vehicleId: work.withoutVehicleId }))
}
steps.end()
await slow.end()
await database.close()
