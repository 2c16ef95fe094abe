// For tests and for the pictures of guides: the receiver of the guide about webhooks, on a port of its own.

import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { blocksOf } from './guide-blocks.ts'
import type { OwnInstance } from './own-instance.ts'

/** Writes its file into the folder of the instance, and gives the commands of the guide, which start it and have an event sent to it. */
export function writeReceiver({ folder }: OwnInstance, port: number): string {
  const [receiver = ''] = blocksOf('webhooks.md', 'ts')
  writeFileSync(path.join(folder, 'receiver.mts'), receiver.replace('listen(8000)', `listen(${port})`))
  const untilItListens = `for i in $(seq 1200); do curl -s -o /dev/null "http://127.0.0.1:${port}/" && break; sleep 0.1; done; kill -0 "$(cat receiver.pid)"`
  const [build, ...blocks] = blocksOf('webhooks.md', 'sh')
  // `installPackages` has done what it does, into the folder of the instance: in the checkout, others import what it would replace.
  assert.equal(build, 'npm run build -w @roadworthy/client\n')
  const lines = blocks.map((block) => (block.includes('receiver.pid') ? `${block}${untilItListens}\n` : block))
  return lines
    .join('\n')
    .replace('127.0.0.1:8000', `127.0.0.1:${port}`)
    .replaceAll(/\bnode receiver\.mts/g, `"${process.execPath}" receiver.mts`)
}

export function stopReceiver({ folder }: OwnInstance): void {
  const pidFile = path.join(folder, 'receiver.pid')
  if (existsSync(pidFile)) process.kill(Number(readFileSync(pidFile, 'utf8')))
}
