// For tests only, a process of its own: calls an operator through the limits that all processes share, as often and as many at a time as it is asked.

import { ciscoConnection } from '@roadworthy/operator-emulator/connections'
import { openDatabase } from '@roadworthy/service-kit/postgres/db'
import { TEST_SECRET_KEY } from '../../test-support.ts'
import { CallGates } from '../operators/limits.ts'
import { openOperator } from '../operators/open-operator.ts'
import { testGuard } from '../operators/test-operator.ts'
import { createCallTurns } from './call-turns.ts'

export type CallProcessTask = {
  readonly urls: { readonly app: string; readonly system: string }
  readonly emulatorUrl: string
  readonly callCount: number
  readonly atOnce: number
  readonly leaseMs: number
}

const { urls, emulatorUrl, callCount, atOnce, leaseMs } = JSON.parse(process.argv[2] ?? '') as CallProcessTask
const database = openDatabase(urls, { appConnections: 1, systemConnections: 2, acquireTimeoutMs: 60_000, onError: () => undefined })
const onError = (error: unknown) => process.stdout.write(`error ${String(error)}\n`)
const turns = createCallTurns({ database, secretKey: TEST_SECRET_KEY, onError, leaseMs })
const deps = { guard: testGuard, gates: new CallGates({ turns, nowMs: () => performance.now() }), now: () => new Date() }
const operator = openOperator(ciscoConnection(emulatorUrl), deps)

process.stdout.write('begun\n')
let left = callCount
const work = async () => {
  while (left-- > 0) await operator.testConnection(new AbortController().signal)
}
await Promise.all(Array.from({ length: atOnce }, work))
await database.close()
process.stdout.write('ended\n')
