// Files that import each other, however far round, can only be read and moved together. Types count: they are what a reader has to know.

import { type Finding, isTest, type Repository, resolveImport } from './repository.ts'

/** One finding for each group of files that reach each other, at the import by which its first file begins the shortest circle. */
export function checkImportCircles(repository: Repository): Finding[] {
  const imports = importsOf(repository)
  const findings: Finding[] = []
  const reported = new Set<string>()
  for (const file of imports.keys()) {
    const circle = reported.has(file) ? undefined : shortestCircle(imports, file)
    if (circle === undefined) continue
    for (const each of reachable(imports, file)) if (reachable(imports, each).has(file)) reported.add(each)
    const line =
      repository.sources.get(file)?.imports.find(({ specifier }) => resolveImport(repository, file, specifier) === circle[1])?.line ?? 1
    const message = `imports itself: ${circle.join(' -> ')}; put what they share into a file that imports none of them`
    findings.push({ path: file, line, message })
  }
  return findings
}

function importsOf(repository: Repository): ReadonlyMap<string, readonly string[]> {
  const files = [...repository.sources.values()].filter(({ path }) => !isTest(path))
  return new Map(
    files.map(({ path, imports }) => {
      const targets = imports.map(({ specifier }) => resolveImport(repository, path, specifier))
      return [path, targets.filter((target) => target !== undefined && repository.sources.has(target)) as string[]]
    }),
  )
}

/** Breadth first, from the file until it is reached again. */
function shortestCircle(imports: ReadonlyMap<string, readonly string[]>, start: string): string[] | undefined {
  const cameFrom = new Map<string, string>()
  const queue = [start]
  for (const file of queue) {
    for (const next of imports.get(file) ?? []) {
      if (next === start) return [...wayTo(cameFrom, file, start), start]
      if (cameFrom.has(next)) continue
      cameFrom.set(next, file)
      queue.push(next)
    }
  }
  return undefined
}

function wayTo(cameFrom: ReadonlyMap<string, string>, last: string, start: string): string[] {
  const way = [last]
  while (way[0] !== start) way.unshift(cameFrom.get(way[0] as string) as string)
  return way
}

function reachable(imports: ReadonlyMap<string, readonly string[]>, start: string): ReadonlySet<string> {
  const reached = new Set(imports.get(start))
  for (const file of reached) for (const next of imports.get(file) ?? []) reached.add(next)
  return reached
}
