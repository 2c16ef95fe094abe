// Writes the generated parts of packages/client and clients/python from the committed documents. `npm run openapi` does so after it has written those.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { documentNames, readOpenApi } from '../../test/support/open-api.ts'
import { clientSources } from './client-sources.ts'
import { pythonSources } from './python-sources.ts'

const ROOT = join(import.meta.dirname, '../..')

const documents = Object.fromEntries(documentNames.map((name) => [name, readOpenApi(name)])) as Parameters<typeof clientSources>[0]
write('packages/client/src/generated', clientSources(documents))
write('clients/python/src/roadworthy/generated', pythonSources(documents))

function write(folder: string, sources: Readonly<Record<string, string>>): void {
  mkdirSync(join(ROOT, folder), { recursive: true })
  for (const [name, text] of Object.entries(sources)) writeFileSync(join(ROOT, folder, name), text)
}
