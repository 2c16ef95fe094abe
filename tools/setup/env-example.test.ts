import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { envExample } from './env-example.ts'

test('.env.example is the one generated, and names each setting once', () => {
  const text = readFileSync(join(import.meta.dirname, '../../.env.example'), 'utf8')
  assert.equal(text, envExample(), 'run `npm run env-example`')
  const names = [...text.matchAll(/^#([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name)
  assert.deepEqual(names, [...new Set(names)])
  for (const name of ['PORT', 'ENGINE_PORT', 'MODELS_DIR', 'ENGINE_LICENSE_KEY_FILE']) assert.ok(names.includes(name), name)
})
