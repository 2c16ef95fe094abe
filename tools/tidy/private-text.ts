// Nothing in the repository reveals on which machine it was written or where that machine gets its packages.

import type { Finding, Repository } from './repository.ts'

/** Home and work folders of a machine; folders that exist everywhere, such as /tmp and /var/lib, are fine. */
const MACHINE_PATH = /(?<![\w.~-])(\/root\/|\/home\/(?!node\/|you\/)[a-z][\w-]*\/|\/Users\/[A-Za-z][\w-]*\/|\/work\/|[A-Z]:\\Users\\)/
/** Of all registries only npm's own may be named, and only in prose. The lock file is made without addresses. */
const REGISTRY =
  /\b(?:registry\.(?!npmjs\.org\b)|artifactory[\w.-]*\.|nexus[\w.-]*\.|verdaccio[\w.-]*\.|npm\.pkg\.)[a-z0-9.-]*\b(?:com|org|net|io|dev|cloud|internal|local|corp|lan)\b/i

export function checkPrivateText(repository: Repository): Finding[] {
  const findings: Finding[] = []
  for (const [path, text] of repository.texts) {
    if (path.startsWith('tools/tidy/private-text')) continue
    for (const [i, line] of text.split('\n').entries()) {
      const machine = MACHINE_PATH.exec(line)?.[0]
      const registry = REGISTRY.exec(line)?.[0]
      if (machine !== undefined) findings.push({ path, line: i + 1, message: `names a folder of one machine: ${machine}` })
      if (registry !== undefined) findings.push({ path, line: i + 1, message: `names a package registry: ${registry}` })
      if (path.endsWith('package-lock.json') && line.includes('"resolved": "http')) {
        findings.push({ path, line: i + 1, message: 'holds the address of a package; lock with omit-lockfile-registry-resolved' })
      }
    }
  }
  return findings
}
