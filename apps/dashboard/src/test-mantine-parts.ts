// For tests: which style sheets of Mantine the components need that the dashboard uses, and in which order. A component brings others along, as `Select`
// does a `Popover`, so the modules of Mantine are followed from what the dashboard imports.

import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { parseSync } from 'vite'

type Name = { readonly name: string }
type Specifier = { readonly importKind?: string; readonly imported?: Name; readonly local: Name; readonly exported?: Name }
type Statement = {
  readonly type: string
  readonly importKind?: string
  readonly source?: { readonly value: string } | null
  readonly specifiers?: readonly Specifier[]
}

const SOURCES = import.meta.dirname
const PACKAGES = resolve(SOURCES, '../../../node_modules')
const STYLES = join(PACKAGES, '@mantine/core/styles')

/** What every component rests on: resets and variables. */
const FOUNDATIONS = ['baseline.css', 'default-css-variables.css', 'global.css']

/** In the order of Mantine's own sheet: what overrides another comes after it. */
export function stylesOfUsedComponents(): string[] {
  const sources = globSync('**/*.{ts,tsx}', { cwd: SOURCES }).filter((path) => !/\.test\.ts$|(^|\/)test-mantine/.test(path))
  const modules = new Set<string>()
  for (const path of sources) for (const each of importsOf(join(SOURCES, path))) follow(each, modules)
  const sheets = [...modules].filter((path) => path.endsWith('.module.mjs')).map((path) => basename(path).replace('.module.mjs', '.css'))
  const lacking = sheets.filter((name) => !existsSync(join(STYLES, name)) && name !== 'Spotlight.css')
  if (lacking.length > 0) throw new Error(`Mantine has no sheet ${lacking.join(', ')}`)
  const whole = readFileSync(join(PACKAGES, '@mantine/core/styles.css'), 'utf8')
  const placeOf = (name: string) => {
    const place = whole.indexOf(readFileSync(join(STYLES, name), 'utf8').trim())
    if (place === -1) throw new Error(`${name} is not in Mantine's own sheet`)
    return place
  }
  return [...new Set([...FOUNDATIONS, ...sheets.filter((name) => name !== 'Spotlight.css')])].sort((a, b) => placeOf(a) - placeOf(b))
}

/** A module of Mantine, or what is imported by its name from one of its packages. */
type Imported = { readonly path: string } | { readonly from: string; readonly name: string }

function follow(imported: Imported, modules: Set<string>): void {
  const path = 'path' in imported ? imported.path : exportsOf(imported.from).get(imported.name)
  if (path === undefined) throw new Error(`Mantine exports no ${JSON.stringify(imported)}`)
  if (modules.has(path)) return
  modules.add(path)
  for (const each of importsOf(path)) follow(each, modules)
}

function statementsOf(path: string): readonly Statement[] {
  return parseSync(path, readFileSync(path, 'utf8')).program.body as unknown as Statement[]
}

/** Of Mantine alone, and no types. */
function importsOf(path: string): Imported[] {
  return statementsOf(path).flatMap(({ type, importKind, source, specifiers = [] }): Imported[] => {
    const from = source?.value ?? ''
    if (type !== 'ImportDeclaration' || importKind === 'type') return []
    if (from.startsWith('.')) return path.includes('@mantine') ? [{ path: join(dirname(path), from) }] : []
    if (from !== '@mantine/core' && from !== '@mantine/spotlight') return []
    return specifiers.filter((each) => each.importKind !== 'type').map(({ imported }) => ({ from, name: imported?.name ?? '' }))
  })
}

const known = new Map<string, ReadonlyMap<string, string>>()

/** The module of each name that the package exports. */
function exportsOf(from: string): ReadonlyMap<string, string> {
  const before = known.get(from)
  if (before !== undefined) return before
  const folder = join(PACKAGES, from, 'esm')
  const moduleOf = new Map<string, string>()
  const exported = new Map<string, string>()
  for (const { type, source, specifiers = [] } of statementsOf(join(folder, 'index.mjs'))) {
    for (const { local, exported: as } of specifiers) {
      if (type === 'ImportDeclaration') moduleOf.set(local.name, join(folder, source?.value ?? ''))
      else exported.set(as?.name ?? '', moduleOf.get(local.name) ?? join(folder, source?.value ?? ''))
    }
  }
  known.set(from, exported)
  return exported
}
