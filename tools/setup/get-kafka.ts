// Apache Kafka for the tests. `kafka-jars.json` names every jar with its hash.
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { ensureJars, type Jar } from './maven-jars.ts'

type JarList = { readonly version: string; readonly jars: readonly Jar[] }

/** Outside the repository, so that every checkout has the same. */
export function jarCache(): string {
  const { env } = process
  return join(env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'roadworthy')
}

/** The class path of a Kafka whose every jar has the hash it should have; has Maven fetch them where the cache lacks one. */
export async function getKafka(cacheFolder: string): Promise<string> {
  const { version, jars } = JSON.parse(await readFile(join(import.meta.dirname, 'kafka-jars.json'), 'utf8')) as JarList
  const folder = join(cacheFolder, 'kafka', version)
  await ensureJars(folder, jars, [
    { groupId: 'org.apache.kafka', artifactId: 'kafka_2.13', version },
    // Its command line. Most of what it depends on is for programs of Kafka that no test runs.
    { groupId: 'org.apache.kafka', artifactId: 'kafka-tools', version, transitive: false },
  ])
  return jars.map(({ path }) => join(folder, path)).join(':')
}
