// Apache Kafka for the tests, fetched by Maven, which knows where from, into a cache outside the repository. `kafka-jars.json` names every
// jar with its hash, so nothing unexpected is run.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

type Jar = { readonly path: string; readonly sha256: string }
type JarList = { readonly version: string; readonly jars: readonly Jar[] }

const DOWNLOAD_BOUND_MS = 300_000

/** The class path of a Kafka whose every jar has the hash it should have; has Maven fetch them where the cache lacks one. */
export async function getKafka(cacheFolder: string): Promise<string> {
  const { version, jars } = JSON.parse(await readFile(join(import.meta.dirname, 'kafka-jars.json'), 'utf8')) as JarList
  const folder = join(cacheFolder, 'kafka', version)
  if ((await findWrong(jars, folder)) !== undefined) await fetchJars(version, folder)
  const wrong = await findWrong(jars, folder)
  if (wrong !== undefined) throw new Error(`${wrong.path} is missing or does not have the expected SHA-256`)
  return jars.map(({ path }) => join(folder, path)).join(':')
}

async function findWrong(jars: readonly Jar[], folder: string): Promise<Jar | undefined> {
  for (const jar of jars) {
    const content = await readFile(join(folder, jar.path)).catch(() => undefined)
    if (content === undefined || createHash('sha256').update(content).digest('hex') !== jar.sha256) return jar
  }
  return undefined
}

/** The runtime dependencies of the broker, as Maven resolves them. */
async function fetchJars(version: string, folder: string): Promise<void> {
  // Maven leaves alone what is there, a damaged jar too.
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const pom = join(folder, 'pom.xml')
  const broker = `<groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>${version}</version>`
  const self = '<groupId>roadworthy</groupId><artifactId>kafka-for-tests</artifactId><version>1</version><packaging>pom</packaging>'
  await writeFile(
    pom,
    `<project><modelVersion>4.0.0</modelVersion>${self}<dependencies><dependency>${broker}</dependency></dependencies></project>\n`,
  )
  const args = ['-q', '-B', '-f', pom, 'dependency:copy-dependencies', '-DincludeScope=runtime', '-Dmdep.useRepositoryLayout=true']
  const { error, status, stdout } = spawnSync('mvn', [...args, `-DoutputDirectory=${folder}`], {
    encoding: 'utf8',
    timeout: DOWNLOAD_BOUND_MS,
  })
  if (error !== undefined) throw new Error('there is no mvn command, or it took too long', { cause: error })
  if (status !== 0) throw new Error(`mvn ended with ${status}: ${stdout.trim().split('\n')[0] ?? ''}`)
}
