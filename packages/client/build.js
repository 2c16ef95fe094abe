// `npm run build -w @roadworthy/client`: JavaScript and declarations in `dist`, or in the folder that is given. npm runs it before it packs.

import { execFileSync } from 'node:child_process'
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const outDir = resolve(process.argv[2] ?? join(here, 'dist'))
const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))

rmSync(outDir, { recursive: true, force: true })
execFileSync(process.execPath, [compiler, '-p', join(here, 'tsconfig.json'), '--outDir', outDir], { stdio: 'inherit' })

copyFileSync(join(here, '../../LICENSE'), join(outDir, 'LICENSE'))

// The compiler rewrites the ending of imports in JavaScript only.
for (const name of readdirSync(outDir, { recursive: true })) {
  const path = join(outDir, String(name))
  if (path.endsWith('.d.ts')) writeFileSync(path, readFileSync(path, 'utf8').replace(/(from '\.{1,2}\/[\w./-]+)\.ts'/g, "$1.js'"))
}
