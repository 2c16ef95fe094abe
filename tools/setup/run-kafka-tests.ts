// `npm run test:kafka`: the stream tests against a real Apache Kafka. Reports why and succeeds where there is no Java 17 or no way to get Kafka.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { whyTooLate } from '../../test/support/time-left.ts'
import { COMPILE_CACHE } from './compile-cache.ts'
import { getKafka, jarCache } from './get-kafka.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const MIN_JAVA = 17
/** Measured: 7 to 8 minutes on two cores, alone. In CI those of Citus run beside. */
const TESTS_TAKE_S = 600

process.exitCode = await main()

async function main(): Promise<number> {
  const { env } = process
  const java = javaVersion()
  if (java === undefined || java < MIN_JAVA) {
    console.log(`skipped: Kafka needs Java ${MIN_JAVA} or newer; ${java === undefined ? 'there is no java command' : `this is ${java}`}.`)
    return 0
  }
  const tooLate = whyTooLate(TESTS_TAKE_S)
  if (tooLate !== undefined) {
    console.log(`skipped: all of it ${tooLate}.`)
    return 0
  }
  let classPath: string
  try {
    classPath = await getKafka(jarCache())
  } catch (error) {
    const { message, cause } = error as Error
    console.log(`skipped: Kafka cannot be had from Maven (${message}${cause instanceof Error ? `: ${cause.message}` : ''}).`)
    return 0
  }
  const files = globSync('{packages,services,test}/**/*.kafka.test.ts', { cwd: ROOT, exclude: (name) => name === 'node_modules' }).sort()
  const args = ['--test', '--test-concurrency=1', ...process.argv.slice(2), ...files]
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...env, KAFKA_CLASS_PATH: classPath, NODE_COMPILE_CACHE: COMPILE_CACHE },
  })
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}

function javaVersion(): number | undefined {
  const { stderr, error } = spawnSync('java', ['-version'], { encoding: 'utf8' })
  const major = error === undefined ? /version "(\d+)/.exec(stderr)?.[1] : undefined
  return major === undefined ? undefined : Number(major)
}
