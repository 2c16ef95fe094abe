// Test files of one workspace share processes: what they import is loaded once for several of them. That is a third of what a file with a few short tests costs.

import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** So many to a process: seven eighths of what can be saved, and a process that ends too early takes few files with it. */
const FILES_PER_GROUP = 8

/** The first looks at what its process has loaded. Those of `test/` take long, each with a service of its own. */
const UNGROUPED = ['packages/kafka/src/lazy-validators.test.ts', 'test/']

/**
 * Writes a file for each group into `folder` and answers their paths. Files are paths from `root`, and stay in their order. In a group each file is a suite of
 * its own: its hooks are for its tests alone, and the suite is named after it.
 */
export function groupFiles(root: string, files: readonly string[], folder: string): string[] {
  const groups: string[][] = []
  for (const file of files) {
    const last = groups.at(-1)
    if (last !== undefined && last.length < FILES_PER_GROUP && last.every((each) => mayShare(each, file))) last.push(file)
    else groups.push([file])
  }
  return groups.map((group, nth) => {
    const [only] = group
    if (group.length === 1 && only !== undefined) return only
    const path = join(folder, `group-${String(nth).padStart(3, '0')}.test.mjs`)
    writeFileSync(path, textOf(root, group))
    return path
  })
}

/**
 * node:test begins files in the order of their paths, which are relative to the root but for those written here: each of `first` is loaded by a file in
 * `folder`, so that it begins before the others.
 */
export function beginFirst(root: string, files: readonly string[], first: readonly string[], folder: string): string[] {
  const begun = first.filter((path) => files.includes(path))
  const loaders = begun.map((path, nth) => {
    const loader = join(folder, `first-${nth}.test.mjs`)
    writeFileSync(loader, `import ${JSON.stringify(pathToFileURL(resolve(root, path)).href)}\n`)
    return loader
  })
  return [...loaders, ...files.filter((path) => !begun.includes(path))]
}

function mayShare(file: string, other: string): boolean {
  return workspaceOf(file) === workspaceOf(other) && !UNGROUPED.some((each) => file.startsWith(each) || other.startsWith(each))
}

function workspaceOf(file: string): string {
  return file.split('/', 2).join('/')
}

/**
 * One file after the other: what several load at once takes so long together that connections which some of them open meanwhile run out of time. The suite of
 * a file that cannot be loaded fails, and the others go on.
 */
function textOf(root: string, group: readonly string[]): string {
  const suites = group.map((file) => {
    const url = pathToFileURL(resolve(root, file)).href
    return `describe(${JSON.stringify(file)}, () => load(${JSON.stringify(url)}))\n`
  })
  return `import { AsyncResource } from 'node:async_hooks'
import { describe } from 'node:test'

let loaded = Promise.resolve()
function load(url) {
  // node:test knows by the asynchronous context which suite a test or a hook is of.
  const here = AsyncResource.bind(() => import(url))
  loaded = loaded.then(here, here)
  return loaded
}

${suites.join('')}`
}
