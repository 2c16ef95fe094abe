// The rules of this folder, applied to the repository. A finding names the file, the line and what to do.

import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { checkDeadCode } from './dead-code.ts'
import { checkEnvironment } from './environment.ts'
import { checkGuides } from './guides.ts'
import { checkImportCircles } from './import-circles.ts'
import { checkImportOrder } from './import-order.ts'
import { checkManifests, checkManifestsAreLean } from './manifests.ts'
import { checkMigrations, HASHES_FILE } from './migrations.ts'
import { checkModuleShape } from './module-shape.ts'
import { checkNames } from './names.ts'
import { checkExcusedNumbers, checkNumbers } from './numbers.ts'
import { checkPlainWords } from './plain-words.ts'
import { checkPrivateText } from './private-text.ts'
import { checkProblemCodes } from './problem-codes.ts'
import { checkReferences } from './references.ts'
import { type Finding, type Repository, readRepository } from './repository.ts'
import { checkRoutes } from './routes.ts'
import { checkSizes } from './sizes.ts'
import { checkSqlOwnership } from './sql-ownership.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const repository = readRepository(ROOT)

function assertClean(check: (repository: Repository) => Finding[]): void {
  const findings = check(repository).map(({ path: file, line, message }) => `${file}:${line} ${message}`)
  assert.equal(findings.length, 0, `\n${findings.join('\n')}\n`)
}

test('imports follow the order of the slices and the walls between workspaces', () => assertClean(checkImportOrder))
test('no file imports itself, however far round', () => assertClean(checkImportCircles))
test('SQL stands in *.sql.ts, and a slice writes its own tables only', () => assertClean(checkSqlOwnership))
test('the environment is read in settings files only', () => assertClean(checkEnvironment))
test('there are no barrels, default exports, enums or bare notes', () => assertClean(checkModuleShape))
test('names have a meaning', () => assertClean(checkNames))
test('every number that the engine judges by has a source', () => assertClean(checkNumbers))
test('no number is excused that is not there', () => assertClean(checkExcusedNumbers))
test('functions and files are short', () => assertClean(checkSizes))
test('nothing is dead', () => assertClean(checkDeadCode))
test('every route declares who may call it and describes itself', () => assertClean(checkRoutes))
test('every problem code is explained', () => assertClean(checkProblemCodes))
test('what documents and comments point at exists', () => assertClean(checkReferences))
test('the examples of the pages can be pasted', () => assertClean(checkGuides))
test('no text names the machine it was written on', () => assertClean(checkPrivateText))
test('words are those of the field', () => assertClean(checkPlainWords))
test('package.json pins versions and declares every import', () => assertClean(checkManifests))
test('package.json declares nothing without need', () => assertClean(checkManifestsAreLean))
test('migrations are numbered and named', () => assertClean(checkMigrations))

const unreleased = repository.texts.has(HASHES_FILE) ? false : 'nothing is released yet: the first release writes hashes.json'
test('released migrations are as they were', { skip: unreleased }, () => assertClean(checkMigrations))
