// Goal: whatever is asked, the service answers as documented and never with 5xx. Method: random requests, valid and spoilt, made from the
// OpenAPI documents; the same ones in every run. `fuzz.long.test.ts` makes more, and others each time.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { documentNames } from '../support/open-api.ts'
import { openFuzz } from './fuzz-service.ts'

const RUNS = 500
const SEED = 20_260_131

const fuzz = await openFuzz({ after })

for (const name of documentNames) {
  test(`${name}: ${RUNS} random requests get documented answers, none of them 5xx`, async (t) => {
    const statuses = await fuzz(name, { runs: RUNS, seed: SEED })
    t.diagnostic(`answers by status: ${JSON.stringify(statuses)}`)
    assert.ok((statuses[200] ?? 0) > RUNS / 10, 'enough requests get past validation to mean something')
  })
}
