// Goal: what stands behind KServe is called by its own client and by Triton's, as they are by themselves. Method: both from PyPI, over a socket.
// With what they bring along they are 500 MB and optional: `.ci/run` puts them in a cache; without them this test reports that it skips.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { homedir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { startWithLinear } from './testing-engine.ts'

const folder = process.env['ROADWORTHY_INFERENCE_CLIENTS'] ?? path.join(homedir(), '.cache/roadworthy/inference-clients')
const python = path.join(folder, 'bin/python')
const skip = existsSync(python) ? false : `${python} is not here (python3 -m venv, then pip install "tritonclient[http]" kserve)`
const SCRIPT = path.join(import.meta.dirname, 'testing-inference-clients.py')
/** The first import compiles what was installed. */
const TIMEOUT_MS = 900_000

type Seen = { answers: Record<string, (number | null)[]>; unknownModel: string }

test('the clients of Triton and KServe are answered, with tensors as bytes and as JSON', { timeout: TIMEOUT_MS, skip }, async (t) => {
  const { app } = await startWithLinear(t)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const { stdout } = await promisify(execFile)(python, [SCRIPT, `http://127.0.0.1:${port}`, 'linear'])
  const { triton, kserve } = JSON.parse(stdout) as { triton: Seen; kserve: Seen }
  const up = { live: true, ready: true, modelReady: true }
  assert.deepEqual(triton, {
    ...up,
    extensions: ['binary_tensor_data'],
    answers: {
      'as it does by itself': [6, 14, 10],
      'single precision': [6, 14, 10],
      'bytes in, JSON out': [6, 14, 10],
      'JSON in, bytes out': [6, 14],
      'whole numbers': [6, 14],
    },
    unknownModel: '[404] not_found: There is no model "nobody".',
  })
  const { unknownModel, ...others } = kserve
  assert.deepEqual(others, { ...up, answers: { 'bytes in': [6, 14, 10], 'JSON in': [6, 14] } })
  assert.match(unknownModel, /^not_found: There is no model "nobody"\., '404 Not Found'/)
})
