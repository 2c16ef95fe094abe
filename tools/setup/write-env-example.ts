// `npm run env-example` writes .env.example from the settings schemas.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { envExample } from './env-example.ts'

writeFileSync(join(import.meta.dirname, '../../.env.example'), envExample())
