// The emulated operator and the emulated payment gateway of the demo, as programs beside the service. Each reports where it listens whenever it has
// started, again after it died.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ChildProgram } from '@roadworthy/service-kit/process/child-program'
import type { Logger } from '@roadworthy/service-kit/telemetry/log'
import { childEnvironment, type PlatformSettings } from '../settings/settings.ts'

export type EmulatorName = 'operator' | 'gateway'

/** The address of a connection that is the demo's. */
export const EMULATED = /^http:\/\/127\.0\.0\.1:/
const TOOLS = join(import.meta.dirname, '../../../../../tools')
/** Of each of two accounts. Every state is among 16 of them (`seed-account.ts`). */
const SIMS = 20
const ACCOUNTS = 2

/** None where the tools are not installed. */
export function createEmulators(
  settings: Pick<PlatformSettings, 'dataDir' | 'demoOperatorPort' | 'demoGatewayPort'>,
  log: Logger,
  onReady: (name: EmulatorName, url: string) => void,
): ChildProgram[] {
  const { dataDir, demoOperatorPort, demoGatewayPort } = settings
  const create = (name: EmulatorName, port: number, more: readonly string[]) =>
    new ChildProgram({
      name: `${name} emulator`,
      script: join(TOOLS, `${name}-emulator/src/main.ts`),
      args: () => ['--port', String(port), '--state-file', join(dataDir, `demo-${name}.json`), ...more],
      env: childEnvironment(),
      log,
      onLine: (line) => {
        const [, url] = /^ready (http:\S+)$/.exec(line) ?? []
        if (url !== undefined) onReady(name, url)
      },
    })
  if (!existsSync(join(TOOLS, 'operator-emulator/src/main.ts'))) return []
  return [
    create('operator', demoOperatorPort, ['--accounts', String(ACCOUNTS), '--sims', String(SIMS)]),
    create('gateway', demoGatewayPort, []),
  ]
}
