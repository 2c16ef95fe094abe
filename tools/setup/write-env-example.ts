// `npm run env-example` writes .env.example from the settings schema.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { envExample } from '@roadworthy/platform/main/settings'

writeFileSync(join(import.meta.dirname, '../../.env.example'), envExample())
