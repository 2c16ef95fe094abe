// The environment is read where settings are read. Everything else gets what it needs as an argument.

import { type Finding, isTest, type Repository } from './repository.ts'

export const SETTINGS_FILES: readonly string[] = [
  'services/platform/src/main/settings/settings.ts',
  'services/engine/src/main.ts',
  'apps/cli/src/main.ts',
  // Before the command line proper: whether it was npx that started it.
  'apps/cli/bin/roadworthy.js',
  // A process of its own, which is handed its key where other processes do not see it.
  'packages/simulator/src/demo.ts',
  // Before there are settings: the install step and the test run, which also hand the environment on to the processes they start.
  'tools/setup/ensure-installed.js',
  'tools/setup/ensure-compiled.js',
  'tools/setup/run-tests.ts',
  // Whom Node trusts here, and so npm in a build.
  'tools/setup/build-images.ts',
  // Where the test run leaves the address of the server that all test files share.
  'packages/service-kit/src/postgres/test-database.ts',
]

export function checkEnvironment(repository: Repository): Finding[] {
  const findings: Finding[] = []
  for (const { path, code } of repository.sources.values()) {
    if (SETTINGS_FILES.includes(path) || isTest(path)) continue
    for (const [i, token] of code.entries()) {
      const isRead = token.text === 'process' && ['.', '?.'].includes(code[i + 1]?.text ?? '') && code[i + 2]?.text === 'env'
      const isImported = token.text === 'env' && code.slice(i).some(({ text }, ahead) => ahead < 12 && text === 'node:process')
      if (isRead || isImported) findings.push({ path, line: token.line, message: 'reads the environment, which only settings files do' })
    }
  }
  return findings
}
