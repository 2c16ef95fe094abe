// The engine's process: by its settings it is the engine, or starts several that are.
import cluster from 'node:cluster'
import { hostname } from 'node:os'
import { readInvocation } from './settings.ts'

const invocation = readInvocation(process.argv.slice(2), process.env, hostname())
if (invocation.kind === 'print') {
  const stream = invocation.exitCode === 0 ? process.stdout : process.stderr
  stream.write(invocation.text)
  process.exitCode = invocation.exitCode
} else if (invocation.workers > 1 && cluster.isPrimary) {
  // Imported when it is known which it is: the one that starts workers has no use for an engine, and is there sooner.
  const { runWorkers } = await import('./workers/run-workers.ts')
  await runWorkers(invocation, import.meta.filename)
} else {
  const [{ serve }, { giveBackMemoryWhenIdle }] = await Promise.all([
    import('./serve.ts'),
    import('@roadworthy/service-kit/process/idle-memory'),
  ])
  giveBackMemoryWhenIdle()
  await serve(invocation)
}
