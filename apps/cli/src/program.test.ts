// Goal: a person who does not know a command finds out from its help how it is used. Method: every command that there is, in this process.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Command } from 'commander'
import { describeFailure } from './failure.ts'
import { createProgram } from './program.ts'

/** They hand the process over to the service, which has its own help. */
const HANDED_OVER = ['up', 'engine']

type Leaf = { readonly name: string; readonly command: Command }

function leavesOf(command: Command, name = ''): Leaf[] {
  if (command.commands.length === 0) return [{ name, command }]
  return command.commands.flatMap((each) => leavesOf(each, `${name} ${each.name()}`.trim()))
}

function helpOf(command: Command): string {
  const help: string[] = []
  command.configureOutput({ writeOut: (text) => void help.push(text), getOutHelpWidth: () => 80 }).outputHelp()
  return help.join('')
}

const surroundings = { env: {}, cwd: '/', now: () => new Date() }

test('every command that does something has a description, and examples in its help that begin with its name', async () => {
  const program = await createProgram(surroundings)
  const leaves = leavesOf(program).filter(({ name }) => !HANDED_OVER.includes(name))
  assert.ok(leaves.length > 60, String(leaves.length))
  for (const { name, command } of leaves) {
    assert.notEqual(command.description(), '', name)
    assert.match(helpOf(command), new RegExp(`^ {2}\\$ .*npx roadworthy ${name}\\b`, 'm'), name)
  }
})

test('the help of a command lists as global what every command takes, and nothing else', async () => {
  const program = await createProgram(surroundings)
  const globalsOf = ({ command }: Leaf) => {
    const lines =
      helpOf(command)
        .split(/^(?=\S)/m)
        .find((part) => part.startsWith('Global Options:'))
        ?.split('\n') ?? []
    return lines.flatMap((line) => /^ {2}(--[a-z-]+)/.exec(line)?.[1] ?? [])
  }
  const globals = program.options.map(({ long }) => long)
  for (const leaf of leavesOf(program)) assert.deepEqual(globalsOf(leaf), globals, leaf.name)
})

// An example is copied as it is: a shell takes it in one line.
test('the help of every command fits into a terminal of 80 columns, its examples apart', async () => {
  const program = await createProgram(surroundings)
  const all = [program, ...program.commands, ...program.commands.flatMap(({ commands }) => commands)]
  const tooWide = all.flatMap((command) => {
    // What is written into no terminal is laid out for 80 columns.
    const lines = helpOf(command).split('\n')
    return lines.filter((line) => line.length > 80 && !line.startsWith('  $ ')).map((line) => `${command.name()}: ${line}`)
  })
  assert.deepEqual(tooWide, [])
})

test('only the command that is named is loaded, with global options before it too; without one, and for help, all are', async () => {
  const namesOf = async (...args: string[]) => (await createProgram(surroundings, args)).commands.map((each) => each.name())
  const all = await namesOf()
  assert.ok(all.length > 30)
  for (const name of all) assert.deepEqual(await namesOf(name, '--help'), [name])
  assert.deepEqual(await namesOf('--data-dir', 'keys', '--json', '--base-url=http://localhost', 'users', 'list', 'keys'), ['users'])
  for (const args of [['help', 'keys'], ['--help'], ['--data-dir'], ['key', 'list'], ['constructor'], ['--', 'x']])
    assert.deepEqual(await namesOf(...args), all)
})

test('a database that is silent, and a pooler that refuses, are named in place of what the driver met', () => {
  const shown = (message: string) => describeFailure(new Error(message)).message
  for (const message of ['timeout expired', 'Connection terminated due to connection timeout']) {
    assert.equal(shown(message), `The database does not answer in time (${message}). Does PostgreSQL run, and is it overloaded?`)
  }
  assert.match(shown('unsupported startup parameter: lock_timeout'), /leads to a pooler .*DATABASE_SESSION_URL/)
  assert.equal(shown('database "none" does not exist'), 'database "none" does not exist')
})
