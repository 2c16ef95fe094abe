// `npm run openapi` writes the documents under docs/openapi from the routes. A test fails while they differ.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openApiDocuments } from './openapi-documents.ts'

const folder = join(import.meta.dirname, '../../docs/openapi')

mkdirSync(folder, { recursive: true })
for (const [name, text] of Object.entries(await openApiDocuments())) writeFileSync(join(folder, name), text)
