// Writes the generated part of packages/client from the committed documents. `npm run openapi` does so after it has written those.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { documentNames, readOpenApi } from '../../test/support/open-api.ts'
import { clientSources } from './client-sources.ts'

const folder = join(import.meta.dirname, '../../packages/client/src/generated')

const documents = Object.fromEntries(documentNames.map((name) => [name, readOpenApi(name)]))
mkdirSync(folder, { recursive: true })
for (const [name, text] of Object.entries(clientSources(documents as Parameters<typeof clientSources>[0])))
  writeFileSync(join(folder, name), text)
