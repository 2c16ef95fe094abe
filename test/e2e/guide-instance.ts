// For tests and for the pictures of guides: an instance whose folder looks like that of a checkout, for guides that start programs of it.

import { symlinkSync } from 'node:fs'
import path from 'node:path'
import { installPackages } from './guide-blocks.ts'
import { type OwnInstance, startOwnInstance } from './own-instance.ts'
import { ROOT } from './running-service.ts'

const LOOPBACK = ['operator', 'gateway', 'webhook'].flatMap((of) => [`--${of}-allow-cidrs`, '127.0.0.0/8'])

/** Emulators and receivers on this machine may be called. */
export async function startGuideInstance(): Promise<OwnInstance> {
  const instance = await startOwnInstance([...LOOPBACK, '--security-contact', 'mailto:security@example.com'])
  symlinkSync(instance.dataDir, path.join(instance.folder, '.data'))
  for (const part of ['docs', 'tools', 'deploy']) symlinkSync(path.join(ROOT, part), path.join(instance.folder, part))
  installPackages(instance)
  return instance
}
