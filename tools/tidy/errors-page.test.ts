// Goal: docs/errors.md is right. Method: its table of statuses is compared, cell by cell, with the tables the surfaces answer from.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { engineSurface } from '@roadworthy/engine/http/engine-surface'
import { externalSurface, platformSurface } from '@roadworthy/platform/surfaces/errors'
import type { Surface } from '@roadworthy/service-kit/http/http'
import { type ProblemCode, problemCodes } from '@roadworthy/service-kit/http/problem'
import { ERRORS_PAGE } from './problem-codes.ts'

const page = readFileSync(path.resolve(import.meta.dirname, '../..', ERRORS_PAGE), 'utf8')

function cellOf({ errors }: Surface, problem: ProblemCode): string {
  const { status, code } = errors[problem]
  return code === problem ? String(status) : `${status} \`${code}\``
}

test('the errors page gives the status and code of every problem on every surface', () => {
  const rows = page.split('\n').filter((line) => /^\| `\w+` +\| \d{3}/.test(line))
  const written = rows.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
      .join(' | '),
  )
  const surfaces = [externalSurface, platformSurface, engineSurface]
  const expected = problemCodes.map((problem) => [`\`${problem}\``, ...surfaces.map((surface) => cellOf(surface, problem))].join(' | '))
  assert.deepEqual(written, expected)
})
