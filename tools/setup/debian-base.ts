// A base for the images where no registry of images is reached: Debian by mmdebstrap, from the mirror that apt uses here, with the Node and the npm that
// come from npm. It stands in for the base that deploy/container/Containerfile names, and is for tests of the images, not for a release.

import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { installedNode } from './installed-node.js'
import { runProgram } from './run-program.ts'

/** For Node, for `groupadd` and `useradd`, and for npm by HTTPS. */
const PACKAGES = ['libstdc++6', 'passwd', 'ca-certificates']
const NPM = 'npm@11.19.1'
const DEBIAN_TIMEOUT_MS = 240_000
const NPM_TIMEOUT_MS = 60_000

const CONTAINERFILE = `FROM scratch
ADD debian.tar /
COPY local/ /usr/local/
`

/** Writes a folder to build the image from, by its file `Containerfile`. */
export async function writeDebianBase(root: string, folder: string): Promise<void> {
  const local = join(folder, 'local')
  mkdirSync(join(local, 'bin'), { recursive: true })
  const npm = ['install', '--global', '--prefix', local, '--ignore-scripts', '--no-audit', '--no-fund', NPM]
  await runProgram('npm', npm, { timeoutMs: NPM_TIMEOUT_MS })
  await makeDebian(join(folder, 'debian.tar'))
  copyFileSync(installedNode(root), join(local, 'bin/node'))
  writeFileSync(join(folder, 'Containerfile'), CONTAINERFILE)
}

async function makeDebian(path: string): Promise<void> {
  const suite = /^VERSION_CODENAME=(\w+)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1]
  if (suite === undefined) throw new Error('/etc/os-release names no release of Debian')
  const targets = ['indextargets', '--format', '$(REPO_URI) $(RELEASE)', 'Created-By: Packages', 'Origin: Debian', 'Label: Debian']
  const known = await runProgram('apt-get', targets, { timeoutMs: NPM_TIMEOUT_MS })
  const mirror = known
    .split('\n')
    .map((line) => line.split(' '))
    .find(([, release]) => release === suite)?.[0]
  if (mirror === undefined) throw new Error(`apt knows no mirror of Debian ${suite}`)
  const args = ['--variant=essential', `--include=${PACKAGES.join(',')}`, '--aptopt=Acquire::Languages "none"', '--dpkgopt=force-unsafe-io']
  await runProgram('mmdebstrap', [...args, suite, path, mirror], { timeoutMs: DEBIAN_TIMEOUT_MS })
}
