// Files that somebody signed, and the key they must be signed with.

import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { CommandFailure, exitCodes } from './failure.ts'

/** JSON from a file, or from stdin where it is `-`. */
export async function readDocument(file: string): Promise<unknown> {
  const json = file === '-' ? await text(process.stdin) : await readText(file)
  try {
    return JSON.parse(json)
  } catch (error) {
    // The parser's own words quote the text, and what is read here may hold secrets.
    const [where = ''] = / \(line \d+ column \d+\)$/.exec((error as Error).message) ?? []
    throw new CommandFailure(`${file === '-' ? 'What came from stdin' : file} is not JSON${where}.`, exitCodes.usage)
  }
}

/** What looks like a key is one; anything else is the file of one. */
export async function readKey(given: string): Promise<string> {
  return given.startsWith('-----') || given.startsWith('MCowBQYDK2VwAyEA') ? given : await readText(given)
}

/** A file of somebody else may hold anything, escape sequences of a terminal too. */
export function withoutControls(text: string): string {
  return text.replace(/\p{C}/gu, '\ufffd')
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new CommandFailure(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`, exitCodes.usage, error)
  }
}
