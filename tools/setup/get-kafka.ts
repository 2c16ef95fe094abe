// Apache Kafka for the tests, from Maven Central into a cache outside the repository. `kafka-jars.json` names every jar with its hash:
// the runtime dependencies of org.apache.kafka:kafka_2.13 as Maven resolves them (`mvn dependency:copy-dependencies
// -DincludeScope=runtime -Dmdep.useRepositoryLayout=true`), so nothing is resolved here and nothing unexpected is run.
import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

type Jar = { readonly path: string; readonly sha256: string; readonly bytes: number }
type JarList = { readonly version: string; readonly jars: readonly Jar[] }

const DOWNLOADS_AT_ONCE = 6
/** The largest jar has 9 MB. */
const DOWNLOAD_BOUND_MS = 120_000

/** The class path of a Kafka whose every jar has the hash it should have; downloads what the cache lacks. */
export async function getKafka(options: { repositoryUrl: string; cacheFolder: string }): Promise<string> {
  const { version, jars } = JSON.parse(await readFile(join(import.meta.dirname, 'kafka-jars.json'), 'utf8')) as JarList
  const folder = join(options.cacheFolder, 'kafka', version)
  const waiting = [...jars]
  const fetchNext = async () => {
    for (let jar = waiting.shift(); jar !== undefined; jar = waiting.shift()) await getJar(jar, folder, options.repositoryUrl)
  }
  await Promise.all(Array.from({ length: DOWNLOADS_AT_ONCE }, fetchNext))
  return jars.map(({ path }) => join(folder, path)).join(':')
}

async function getJar(jar: Jar, folder: string, repositoryUrl: string): Promise<void> {
  const file = join(folder, jar.path)
  const cached = await readFile(file).catch(() => undefined)
  if (cached !== undefined && hasHash(cached, jar)) return
  const response = await fetch(`${repositoryUrl.replace(/\/$/, '')}/${jar.path}`, { signal: AbortSignal.timeout(DOWNLOAD_BOUND_MS) })
  if (!response.ok) throw new Error(`${jar.path}: the repository answered ${response.status}`)
  const content = Buffer.from(await response.arrayBuffer())
  if (!hasHash(content, jar)) throw new Error(`${jar.path}: what the repository sent does not have the expected SHA-256`)
  await mkdir(dirname(file), { recursive: true })
  // Two runs may fetch at once: each file appears whole or not at all.
  const partial = `${file}.${process.pid}`
  await writeFile(partial, content)
  await rename(partial, file)
}

function hasHash(content: Buffer, { sha256, bytes }: Jar): boolean {
  return content.length === bytes && createHash('sha256').update(content).digest('hex') === sha256
}
