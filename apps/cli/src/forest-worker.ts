// A thread that fits forests, one job at a time, for forest-pool.ts.
import { parentPort } from 'node:worker_threads'
import { fitForest } from '@roadworthy/prognostics/learning/forest-job'
import type { FromWorker, ToWorker } from './forest-pool.ts'

const port = parentPort
if (port === null) throw new Error('this is no thread of its own')
const send = (message: FromWorker) => port.postMessage(message)

port.on('message', ({ job }: ToWorker) => {
  const forest = fitForest(job, () => send({ kind: 'tree' }))
  send({ kind: 'forest', forest })
})
