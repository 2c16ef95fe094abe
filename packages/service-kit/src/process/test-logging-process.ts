// For a test: a process that logs all the time, and answers what it is sent until it is stopped.

import { createLogger } from '../telemetry/log.ts'
import { Lifecycle } from './lifecycle.ts'

const log = createLogger('info')
const lifecycle = new Lifecycle(log)
lifecycle.listen()
process.on('uncaughtException', (err) => {
  log.fatal({ err }, 'unexpected failure')
  process.send?.('failed')
})
const logging = setInterval(() => {
  log.info('still here')
  console.error('still here')
}, 1)
lifecycle.add({ name: 'logging', stop: async () => clearInterval(logging), boundMs: 1_000 })
process.on('message', (message) => process.send?.(message))
process.send?.('ready')
