// Writes a CycloneDX bill of materials from the lock file: every package with its version, licence and hash. Packages for development are
// listed too: npm, asked to omit them, also omits those that the service shares with them. It works offline, and the result does not depend on
// what is installed. `npm run sbom [FILE]`; sbom.cdx.json by default.

import { execFileSync } from 'node:child_process'
import { realpathSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const ROOT = resolve(import.meta.dirname, '../..')
const MAX_BYTES = 64 * 1024 * 1024

/** The document as text. */
export function billOfMaterials(): string {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only']
  return execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: MAX_BYTES, stdio: ['ignore', 'pipe', 'ignore'] })
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) {
  const path = resolve(process.argv[2] ?? 'sbom.cdx.json')
  const text = billOfMaterials()
  writeFileSync(path, text)
  const { components } = JSON.parse(text) as { components: unknown[] }
  console.log(`${path}: ${components.length} packages`)
}
