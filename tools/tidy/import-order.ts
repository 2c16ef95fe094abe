// Who may import whom. The order is that of ARCHITECTURE.md; a slice that is not in it has to be given its place here.

import { type Finding, isTest, packageName, type Repository, resolveImport } from './repository.ts'
import type { Import } from './source.ts'

/** A slice may import those of the rows before its own. Slices of one row do not import each other. */
const SLICE_ROWS = [
  ['audit', 'cluster', 'jobs', 'words'],
  ['limits'],
  ['resellers'],
  ['keys'],
  ['people'],
  ['events', 'brands', 'streams', 'requests'],
  ['fleet'],
  ['devices'],
  ['readings'],
  ['presence', 'history'],
  ['predictions'],
  ['live'],
  ['incidents'],
  ['alerts'],
  ['maintenance'],
  ['webhooks', 'metering', 'sims'],
  ['notifications'],
  ['billing'],
  ['payments'],
  ['overview'],
  ['backup'],
  ['moving'],
]
const LAST_ROW_FOR_INGEST = SLICE_ROWS.findIndex((row) => row.includes('readings'))
const OUTER_FOLDERS = ['ingest', 'surfaces', 'main', 'backfill']
/** Stands on ingest, which judges what it reads, and on every slice. */
const ABOVE_INGEST = 'backfill'

/** Types of these files may be named by anyone: the contracts between receivers, ingest and the slices that serve it, and who is calling. */
const SHARED_TYPE_FILES = [
  'services/platform/src/ingest/inbound.ts',
  'services/platform/src/ingest/resolve.ts',
  'services/platform/src/keys/caller.ts',
]

const PLATFORM = 'services/platform/src/'
const DATABASE_PACKAGES = new Set(['pg', 'graphile-worker', 'pg-cursor', 'pg-copy-streams', 'postgres'])

export function checkImportOrder(repository: Repository): Finding[] {
  const findings: Finding[] = []
  for (const source of repository.sources.values()) {
    if (isTest(source.path)) continue
    for (const each of source.imports) {
      const target = resolveImport(repository, source.path, each.specifier)
      if (target === undefined && each.specifier.startsWith('.')) {
        findings.push({ path: source.path, line: each.line, message: `imports ${each.specifier}, which does not exist` })
      }
      const message = target === undefined ? undefined : refusal(source.path, target, each)
      if (message !== undefined) findings.push({ path: source.path, line: each.line, message })
    }
  }
  return [...findings, ...checkEngineHasNoDatabase(repository), ...checkPureFolders(repository), ...checkPublished(repository)]
}

function refusal(from: string, to: string, each: Import): string | undefined {
  if (to.startsWith('packages/prognostics/') && !/^(packages\/prognostics|services\/engine|apps\/cli)\//.test(from)) {
    return 'only the engine and the command line import prognostics; the platform asks the engine over HTTP'
  }
  if (/^(services|packages|apps)\//.test(from) && to.startsWith('tools/')) {
    return `the product does not import ${to}; an image of it may be without the tools, which are started as programs`
  }
  if (from.startsWith('services/engine/') && to.startsWith('services/platform/')) return 'the engine does not import the platform'
  if (from.startsWith('services/platform/') && to.startsWith('services/engine/')) return 'the platform does not import the engine'
  if (from.startsWith('packages/') && !to.startsWith('packages/')) return `a package does not import ${to}`
  if (!from.startsWith(PLATFORM) || !to.startsWith(PLATFORM)) return undefined
  return refusalInPlatform(from, to, each)
}

function refusalInPlatform(from: string, to: string, each: Import): string | undefined {
  const [fromFolder, toFolder] = [sliceOf(from), sliceOf(to)]
  if (fromFolder === toFolder || fromFolder === 'main') return undefined
  if (SHARED_TYPE_FILES.includes(to) && each.isTypeOnly) return undefined
  const fromRow = rowOf(fromFolder)
  const toRow = rowOf(toFolder)
  if (fromFolder === ABOVE_INGEST && (toFolder === 'ingest' || toRow !== undefined)) return undefined
  if (OUTER_FOLDERS.includes(toFolder)) return `${fromFolder} does not import ${toFolder}; main passes in what it needs`
  if (toRow === undefined) return `${toFolder} has no place in the import order yet; decide it in tools/tidy/import-order.ts`
  if (fromFolder === 'surfaces') return undefined
  if (fromFolder === 'ingest') {
    return toRow <= LAST_ROW_FOR_INGEST ? undefined : `ingest does not import ${toFolder}, which comes after readings`
  }
  if (fromRow === undefined) return `${fromFolder} has no place in the import order yet; decide it in tools/tidy/import-order.ts`
  return toRow < fromRow ? undefined : `${fromFolder} does not import ${toFolder}, which does not come before it`
}

function sliceOf(file: string): string {
  return file.slice(PLATFORM.length).split('/')[0] ?? ''
}

function rowOf(slice: string): number | undefined {
  const row = SLICE_ROWS.findIndex((names) => names.includes(slice))
  return row === -1 ? undefined : row
}

/** Through whatever it imports, too: a helper that opens a pool would give the engine a database by the back receiver. */
function checkEngineHasNoDatabase(repository: Repository): Finding[] {
  const findings: Finding[] = []
  const engine = [...repository.sources.keys()].filter((file) => file.startsWith('services/engine/src/') && !isTest(file))
  const reachedFrom = new Map(engine.map((file) => [file, file]))
  for (const [file, origin] of reachedFrom) {
    for (const { specifier, line, isTypeOnly } of repository.sources.get(file)?.imports ?? []) {
      if (isTypeOnly) continue
      const target = resolveImport(repository, file, specifier)
      if (target !== undefined && !reachedFrom.has(target)) reachedFrom.set(target, origin)
      if (DATABASE_PACKAGES.has(packageName(specifier) ?? '')) {
        findings.push({ path: file, line, message: `the engine reads no database, but ${origin} reaches ${specifier} through this` })
      }
    }
  }
  return findings
}

/** What has to be true without a machine around it. */
function checkPureFolders(repository: Repository): Finding[] {
  const findings: Finding[] = []
  for (const { path: file, imports } of repository.sources.values()) {
    if (isTest(file)) continue
    const isPure = /^packages\/(prognostics|signals|contracts|wording|client\/src)\//.test(file)
    const isSql = file.endsWith('.sql.ts')
    for (const { specifier, line } of imports) {
      if (isPure && specifier.startsWith('node:')) findings.push({ path: file, line, message: `is pure and does not import ${specifier}` })
      if (isSql && /^(fastify$|@fastify\/)/.test(specifier)) findings.push({ path: file, line, message: 'a *.sql.ts file knows no HTTP' })
    }
  }
  return findings
}

/** What is published runs where nothing of ours is, and brings nothing along. */
function checkPublished(repository: Repository): Finding[] {
  return [...repository.sources.values()].flatMap(({ path: file, imports }) => {
    if (!file.startsWith('packages/client/src/') || isTest(file)) return []
    return imports
      .filter(({ specifier }) => packageName(specifier) !== undefined)
      .map(({ specifier, line }) => ({ path: file, line, message: `the client has no dependencies and does not import ${specifier}` }))
  })
}
