// The output of a command, and where it goes: the answer on stdout, everything else on stderr, so that `--json` gives JSON and nothing but.

import { styleText } from 'node:util'

export type Progress = {
  /** `share` is 0 to 1. */
  update(share: number, text: string): void
  end(): void
}

export type Output = {
  /** The answer: the value as JSON with `--json`, else the text. */
  answer(value: unknown, text: () => string): void
  /** One line for people, on stderr. */
  note(line: string): void
  /** A bar on a terminal; elsewhere a line every few seconds. */
  progress(label: string): Progress
}

type Stream = NodeJS.WriteStream
export type Colour = 'bold' | 'dim' | 'red' | 'yellow' | 'green'

const BAR_CHARACTERS = 28
const USUAL_COLUMNS = 80
const REDRAW_MS = 100
const LINE_MS = 5_000

export function createOutput(isJson: boolean, stdout: Stream = process.stdout, stderr: Stream = process.stderr): Output {
  return {
    answer: (value, text) => void stdout.write(`${isJson ? JSON.stringify(value) : withoutForeignControls(text())}\n`),
    note: (line) => void stderr.write(`${withoutForeignControls(line)}\n`),
    progress: (label) => (stderr.isTTY ? createBar(label, stderr) : createLines(label, stderr)),
  }
}

/** Colours only a terminal, and no terminal where `NO_COLOR` is set. */
export function coloured(colour: Colour, text: string, stream: Stream = process.stdout): string {
  return styleText(colour, text, { stream })
}

/** What others named may hold anything, escape sequences of a terminal too. Lines and our own colours stay. */
export function withoutForeignControls(text: string): string {
  return text.replace(CONTROL, (found, own: string | undefined) => (own === undefined ? '\ufffd' : found))
}

/** Columns of text, the header first, and a line for each row whatever its cells hold. Widths count what is seen, not the colour codes. */
export function formatTable(header: readonly string[], given: readonly (readonly string[])[]): string {
  const rows = given.map((row) => row.map((cell) => withoutForeignControls(cell.replace(/[\n\t]/g, '\ufffd'))))
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map((row) => seenLength(row[column] ?? ''))))
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - seenLength(cell))))
      .join('  ')
      .trimEnd()
  return [coloured('bold', line(header)), ...rows.map(line)].join('\n')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colour codes begin with one
const CONTROL = /(\u001b\[(?:[12]|22|3[1239])m|[\n\t])|[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu

function seenLength(text: string): number {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colour codes begin with one
  return text.replace(/\u001b\[\d+m/g, '').length
}

function createBar(label: string, stream: Stream): Progress {
  let drawnMs = Number.NEGATIVE_INFINITY
  const draw = (share: number, text: string) => {
    const full = Math.round(Math.min(1, Math.max(0, share)) * BAR_CHARACTERS)
    const bar = '█'.repeat(full) + '░'.repeat(BAR_CHARACTERS - full)
    const line = `${label} ${bar} ${String(Math.floor(share * 100)).padStart(3)} %  ${text}`
    // A terminal that does not know its width reports 0.
    stream.write(`\r${line.slice(0, (stream.columns || USUAL_COLUMNS) - 1)}\u001b[K`)
  }
  return {
    update(share, text) {
      if (share < 1 && performance.now() - drawnMs < REDRAW_MS) return
      drawnMs = performance.now()
      draw(share, text)
    },
    end: () => void stream.write('\n'),
  }
}

function createLines(label: string, stream: Stream): Progress {
  let writtenMs = performance.now()
  return {
    update(share, text) {
      if (performance.now() - writtenMs < LINE_MS) return
      writtenMs = performance.now()
      stream.write(`${label} ${Math.floor(share * 100)} %  ${text}\n`)
    },
    end: () => {},
  }
}
