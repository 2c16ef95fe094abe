// `node tools/setup/check-release.ts v2.0.0`: whether what is here may be released under that tag. Every workspace and the client in Python have the version,
// the changelog says what is new in it, and later releases have its schema to be upgraded from.

import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { findFixtureHindrance } from './schema-fixtures.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const PYTHON_VERSION_FILE = 'clients/python/src/roadworthy/_version.py'

/** What keeps the tag from being released; nothing when it may be. */
export function findHindrances(root: string, tag: string): string[] {
  const [, version] = /^v(\d+\.\d+\.\d+(?:-[\w.]+)?)$/.exec(tag) ?? []
  if (version === undefined) return [`"${tag}" is no tag of a release: v2.0.0, or v2.1.0-rc.1.`]
  const manifests = ['package.json', ...globSync('{apps,packages,services,tools}/*/package.json', { cwd: root })]
  const others = manifests.filter((path) => versionOf(root, path) !== version)
  const ofPython = pythonVersionAt(root)
  // A release candidate is upgraded from by nobody.
  const fixture = version.includes('-') ? undefined : findFixtureHindrance(root, version)
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
  return [
    ...others.map((path) => `${path} has version ${versionOf(root, path)}.`),
    ...(ofPython === pythonVersionOf(version) ? [] : [`${PYTHON_VERSION_FILE} has version ${ofPython}, not ${pythonVersionOf(version)}.`]),
    ...findChangelogHindrances(changelog, version),
    ...(fixture === undefined ? [] : [fixture]),
  ]
}

/** What is released is in a section of its own with its day, and nothing is left above it: who upgrades reads the section. */
function findChangelogHindrances(changelog: string, version: string): string[] {
  const sections = changelog.split(/^## /m).slice(1)
  const textOf = (heading: RegExp) =>
    sections
      .find((section) => heading.test(section))
      ?.replace(/^.*/, '')
      .trim()
  const released = textOf(new RegExp(`^${version.replaceAll('.', '\\.')} \\(\\d{4}-\\d{2}-\\d{2}\\)$`, 'm'))
  if (released === undefined) return [`CHANGELOG.md has no section "## ${version} (year-month-day)": name what was Unreleased.`]
  const unreleased = textOf(/^Unreleased$/m)
  return [
    ...(released === '' ? [`The section of ${version} in CHANGELOG.md is empty.`] : []),
    ...(unreleased === undefined ? ['CHANGELOG.md has no section "## Unreleased" for what comes next.'] : []),
    ...(unreleased ? ['CHANGELOG.md has lines under Unreleased: they are of this release, or were forgotten.'] : []),
  ]
}

/** As Python writes it (PEP 440): 2.1.0-rc.1 is 2.1.0rc1. */
function pythonVersionOf(version: string): string {
  return version.replace(/-(alpha|beta|rc)\.?/, (_, stage: string) => ({ alpha: 'a', beta: 'b' })[stage] ?? 'rc')
}

function pythonVersionAt(root: string): string | undefined {
  return /^__version__ = "([^"]+)"$/m.exec(readFileSync(join(root, PYTHON_VERSION_FILE), 'utf8'))?.[1]
}

function versionOf(root: string, path: string): string | undefined {
  return (JSON.parse(readFileSync(join(root, path), 'utf8')) as { version?: string }).version
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const hindrances = findHindrances(ROOT, process.argv[2] ?? '')
  for (const each of hindrances) console.error(each)
  process.exitCode = hindrances.length > 0 ? 1 : 0
}
