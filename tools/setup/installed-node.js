// The Node that npm installed here, which runs TypeScript; the one that runs this may be an older one. A shell that installs it goes on with the one it knows: what
// `npm start` does beforehand must not depend on which of the two `node` is. Plain JavaScript for Node 20.

import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Its path; that of the Node at hand where none comes as a package. */
export function installedNode(root) {
  const path = join(root, 'node_modules/.bin/node')
  return existsSync(path) ? path : process.execPath
}
