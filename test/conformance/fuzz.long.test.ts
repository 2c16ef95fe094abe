// Goal and method: those of `fuzz.test.ts`, with more requests and another seed each time. A failure names its seed.

import { after, test } from 'node:test'
import { documentNames } from '../support/open-api.ts'
import { openFuzz } from './fuzz-service.ts'

const RUNS = 20_000

const fuzz = await openFuzz({ after })

for (const name of documentNames) {
  const seed = Date.now() % 2 ** 31
  test(`${name}: ${RUNS} random requests with seed ${seed} get documented answers, none of them 5xx`, async (t) => {
    t.diagnostic(`answers by status: ${JSON.stringify(await fuzz(name, { runs: RUNS, seed }))}`)
  })
}
