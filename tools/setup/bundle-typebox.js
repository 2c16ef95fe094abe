// Puts the 700 modules of typebox together into a few, in node_modules, after it was installed. Nearly every process of Roadworthy imports it: finding and
// linking that many modules took each of them 0.13 s of processor time, and the bundle takes 0.01 s. Plain JavaScript for Node 20, as what calls it.

import { accessSync, constants, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const BUNDLED = 'bundled'

/**
 * Its entries become bundles that share what they have in common; types, names and versions stay. Without a bundler, where only packages that run were
 * installed, or in a folder of another account, typebox stays as it is, which is slower to start and nothing else. `tools` is the folder whose packages
 * have the bundler. Returns what was done.
 */
export async function bundleTypebox(root, { tools = root } = {}) {
  const folder = join(root, 'node_modules/typebox')
  if (!existsSync(join(folder, 'package.json'))) return 'no typebox'
  const { version, exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const mark = join(folder, 'build', BUNDLED, `of-${version}`)
  if (existsSync(mark)) return 'already bundled'
  const bundler = findBundler(tools)
  if (bundler === undefined) return 'no bundler'
  if (!mayWrite(folder)) return 'not writable'
  const { rolldown } = await import(bundler)
  const paths = Object.values(exports).map((entry) => entry.import.replace('./build/', ''))
  const bundle = await rolldown({
    input: Object.fromEntries(paths.map((path) => [path.replace(/\.mjs$/, ''), join(folder, 'build', path)])),
    platform: 'node',
  })
  const { output } = await bundle.generate({ format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: `${BUNDLED}/[name]-[hash].mjs` })
  await bundle.close()
  // What an entry imports is there before the entry is.
  const sorted = output.toSorted((a, b) => Number(a.isEntry) - Number(b.isEntry))
  for (const { fileName, code } of sorted) replaceFile(join(folder, 'build', fileName), code)
  replaceFile(mark, '')
  return 'bundled'
}

function findBundler(tools) {
  try {
    return pathToFileURL(createRequire(join(tools, 'package.json')).resolve('rolldown')).href
  } catch (error) {
    if (error.code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}

function mayWrite(folder) {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    // The reason makes no difference.
    return false
  }
}

/** In one step: a process may be reading it. */
function replaceFile(path, text) {
  mkdirSync(dirname(path), { recursive: true })
  const written = `${path}.${process.pid}`
  writeFileSync(written, text)
  renameSync(written, path)
}
