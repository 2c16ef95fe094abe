// Jars for tests, fetched by Maven, which knows where from, into a cache outside the repository. A list names every jar with its hash, so that
// nothing unexpected is run.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export type Jar = { readonly path: string; readonly sha256: string }

/** `transitive: false`: without what it depends on. */
export type Artifact = {
  readonly groupId: string
  readonly artifactId: string
  readonly version: string
  readonly transitive?: boolean
}

const DOWNLOAD_BOUND_MS = 300_000

/** Resolves when the folder has every jar with the hash it should have; has Maven fetch them where one is missing or another. */
export async function ensureJars(folder: string, jars: readonly Jar[], artifacts: readonly Artifact[]): Promise<void> {
  if ((await findWrong(jars, folder)) !== undefined) await fetchJars(artifacts, folder)
  const wrong = await findWrong(jars, folder)
  if (wrong !== undefined) throw new Error(`${wrong.path} is missing or does not have the expected SHA-256`)
}

async function findWrong(jars: readonly Jar[], folder: string): Promise<Jar | undefined> {
  for (const jar of jars) {
    const content = await readFile(join(folder, jar.path)).catch(() => undefined)
    if (content === undefined || createHash('sha256').update(content).digest('hex') !== jar.sha256) return jar
  }
  return undefined
}

/** The artifacts and their runtime dependencies, as Maven resolves them. */
async function fetchJars(artifacts: readonly Artifact[], folder: string): Promise<void> {
  // Maven leaves alone what is there, a damaged jar too.
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const pom = join(folder, 'pom.xml')
  const self = '<groupId>roadworthy</groupId><artifactId>jars-for-tests</artifactId><version>1</version><packaging>pom</packaging>'
  const dependencies = artifacts.map(dependencyElement).join('')
  await writeFile(pom, `<project><modelVersion>4.0.0</modelVersion>${self}<dependencies>${dependencies}</dependencies></project>\n`)
  const args = ['-q', '-B', '-f', pom, 'dependency:copy-dependencies', '-DincludeScope=runtime', '-Dmdep.useRepositoryLayout=true']
  const { error, status, stdout } = spawnSync('mvn', [...args, `-DoutputDirectory=${folder}`], {
    encoding: 'utf8',
    timeout: DOWNLOAD_BOUND_MS,
  })
  if (error !== undefined) throw new Error('there is no mvn command, or it took too long', { cause: error })
  if (status !== 0) throw new Error(`mvn ended with ${status}: ${stdout.trim().split('\n')[0] ?? ''}`)
}

function dependencyElement({ groupId, artifactId, version, transitive }: Artifact): string {
  const all = '<exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion>'
  const exclusions = transitive === false ? `<exclusions>${all}</exclusions>` : ''
  const name = `<groupId>${groupId}</groupId><artifactId>${artifactId}</artifactId><version>${version}</version>`
  return `<dependency>${name}${exclusions}</dependency>`
}
