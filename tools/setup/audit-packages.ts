// Asks the package registry which of the locked packages have known vulnerabilities. One that is high or critical fails, also one for
// development: npm, asked to omit those, also omits packages that the service shares with them. Where the registry offers no audit (a mirror, or
// none that can be reached) there is a warning.

import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '../..')
const TIMEOUT_MS = 120_000
const MAX_BYTES = 64 * 1024 * 1024

type Report = {
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string; readonly range: string }>>
  readonly metadata?: { readonly vulnerabilities?: Readonly<Record<string, number>> }
}

const args = ['audit', '--json', '--package-lock-only', '--fetch-retries=0']
const { stdout } = spawnSync('npm', args, { cwd: ROOT, encoding: 'utf8', timeout: TIMEOUT_MS, maxBuffer: MAX_BYTES })
const report = readReport(stdout)
const counts = report.metadata?.vulnerabilities
if (counts === undefined) {
  console.log('warning: known vulnerabilities were not looked up, because the package registry has no list of them or cannot be reached')
} else {
  for (const [name, { severity, range }] of Object.entries(report.vulnerabilities ?? {})) console.log(`${severity}: ${name} ${range}`)
  const grave = (counts['high'] ?? 0) + (counts['critical'] ?? 0)
  console.log(`${counts['total'] ?? 0} packages with known vulnerabilities, ${grave} of them high or critical`)
  if (grave > 0) process.exitCode = 1
}

function readReport(text: string | null): Report {
  try {
    return JSON.parse(text ?? '') as Report
  } catch {
    return {}
  }
}
