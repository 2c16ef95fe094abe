// `npm run grafana` writes deploy/grafana/dashboards.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { grafanaDashboards } from './grafana-dashboards.ts'

const FOLDER = join(import.meta.dirname, '../../deploy/grafana/dashboards')

for (const [file, text] of Object.entries(grafanaDashboards())) writeFileSync(join(FOLDER, file), text)
