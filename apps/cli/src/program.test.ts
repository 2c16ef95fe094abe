// Goal: a person who does not know a command finds out from its help how it is used. Method: every command that there is, in this process.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Command } from 'commander'
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
  command.configureOutput({ writeOut: (text) => void help.push(text) }).outputHelp()
  return help.join('')
}

test('every command that does something has a description, and examples in its help that begin with its name', () => {
  const program = createProgram({ env: {}, cwd: '/', now: () => new Date() })
  const leaves = leavesOf(program).filter(({ name }) => !HANDED_OVER.includes(name))
  assert.ok(leaves.length > 60, String(leaves.length))
  for (const { name, command } of leaves) {
    assert.notEqual(command.description(), '', name)
    assert.match(helpOf(command), new RegExp(`^ {2}\\$ .*npx roadworthy ${name}\\b`, 'm'), name)
  }
})
