// Splits TypeScript into words, strings, templates, regular expressions, comments and punctuation. TypeScript 7 has no compiler API, and
// the rules of this folder need no more than this: what is code, what is text, and on which line it stands.

export type TokenKind = 'word' | 'number' | 'string' | 'template' | 'regex' | 'comment' | 'punctuation'

/** `text` of a string or template is what stands between the quotes; a template's holes read `${}` and their code follows as tokens. */
export type Token = { readonly kind: TokenKind; readonly text: string; readonly line: number; readonly endLine: number }

const WORD = /[\p{ID_Start}$_#@][\p{ID_Continue}$\u200c\u200d]*/uy
const NUMBER = /(?:0[xob][\da-f_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:e[+-]?[\d_]+)?)n?/iy
const LONG_PUNCTUATION = ['...', '=>', '?.', '??', '&&', '||', '===', '!==']

/** After these words a slash starts a regular expression; after any other word it divides. */
const WORDS_BEFORE_REGEX = new Set([
  'return',
  'typeof',
  'case',
  'in',
  'of',
  'delete',
  'void',
  'throw',
  'new',
  'else',
  'do',
  'await',
  'yield',
])

export function scanTokens(text: string): Token[] {
  const scanner = new Scanner(text)
  scanner.scanUntil('')
  return scanner.tokens
}

/** The tokens that a compiler would see. */
export function withoutComments(tokens: readonly Token[]): Token[] {
  return tokens.filter(({ kind }) => kind !== 'comment')
}

class Scanner {
  readonly tokens: Token[] = []
  readonly #text: string
  #at = 0
  #line = 1

  constructor(text: string) {
    this.#text = text
  }

  /** Reads on to the closing bracket that has no opening one, or to the end. */
  scanUntil(closing: '' | '}'): void {
    if (this.#text.startsWith('#!')) this.#readComment('\n')
    let depth = 0
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at] ?? ''
      if (char === '{') depth++
      if (char === '}' && --depth < 0 && closing === '}') return
      this.#readToken(char)
    }
  }

  #readToken(char: string): void {
    const next = this.#text[this.#at + 1]
    if (char === '\n') {
      this.#line++
      this.#at++
    } else if (char.trim() === '') this.#at++
    else if (char === '/' && next === '/') this.#readComment('\n')
    else if (char === '/' && next === '*') this.#readComment('*/')
    else if (char === "'" || char === '"') this.#readString(char)
    else if (char === '`') this.#readTemplate()
    else if (char === '/' && this.#isRegexPossible()) this.#readRegex()
    else if (this.#readPattern(WORD, 'word') || this.#readPattern(NUMBER, 'number')) return
    else this.#readPunctuation()
  }

  #push(kind: TokenKind, text: string, line = this.#line): void {
    this.tokens.push({ kind, text, line, endLine: this.#line })
  }

  #readPattern(pattern: RegExp, kind: TokenKind): boolean {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0]
    if (found === undefined) return false
    this.#push(kind, found)
    this.#at += found.length
    return true
  }

  #readPunctuation(): void {
    const long = LONG_PUNCTUATION.find((mark) => this.#text.startsWith(mark, this.#at))
    const mark = long ?? this.#text[this.#at] ?? ''
    this.#push('punctuation', mark)
    this.#at += mark.length
  }

  #readComment(end: '\n' | '*/'): void {
    const line = this.#line
    const from = this.#at
    const found = this.#text.indexOf(end, from + 2)
    const to = found === -1 ? this.#text.length : end === '*/' ? found + 2 : found
    const text = this.#text.slice(from, to)
    this.#line += text.split('\n').length - 1
    this.#at = to
    this.#push('comment', text, line)
  }

  /** Ends at the end of the line at the latest, so that an apostrophe in JSX text spoils one line and not the file. */
  #readString(quote: string): void {
    const line = this.#line
    const from = ++this.#at
    while (this.#at < this.#text.length && this.#text[this.#at] !== quote && this.#text[this.#at] !== '\n') this.#skipMaybeEscaped()
    this.#push('string', this.#text.slice(from, this.#at), line)
    if (this.#text[this.#at] === quote) this.#at++
  }

  #readTemplate(): void {
    const line = this.#line
    const place = this.tokens.length
    let text = ''
    let from = ++this.#at
    while (this.#at < this.#text.length && this.#text[this.#at] !== '`') {
      if (this.#text.startsWith('${', this.#at)) {
        text += `${this.#text.slice(from, this.#at)}\${}`
        this.#at += 2
        this.scanUntil('}')
        from = this.#at + 1
      }
      this.#skipMaybeEscaped()
    }
    text += this.#text.slice(from, this.#at)
    this.#at++
    this.tokens.splice(place, 0, { kind: 'template', text, line, endLine: this.#line })
  }

  #skipMaybeEscaped(): void {
    const isEscape = this.#text[this.#at] === '\\'
    if (this.#text[this.#at] === '\n' || (isEscape && this.#text[this.#at + 1] === '\n')) this.#line++
    this.#at += isEscape ? 2 : 1
  }

  #isRegexPossible(): boolean {
    const last = this.tokens.findLast(({ kind }) => kind !== 'comment')
    if (last === undefined) return true
    if (last.kind === 'word') return WORDS_BEFORE_REGEX.has(last.text)
    return last.kind === 'punctuation' && ![')', ']', '}'].includes(last.text)
  }

  #readRegex(): void {
    const from = this.#at++
    let isInClass = false
    while (this.#at < this.#text.length && this.#text[this.#at] !== '\n') {
      const char = this.#text[this.#at]
      if (char === '[') isInClass = true
      if (char === ']') isInClass = false
      if (char === '/' && !isInClass) break
      this.#at += char === '\\' ? 2 : 1
    }
    this.#at++
    while (/[a-z]/.test(this.#text[this.#at] ?? '')) this.#at++
    this.#push('regex', this.#text.slice(from, this.#at))
  }
}

/** Where the bracket that opens at `open` closes; the end of the list when it never does. */
export function closingIndex(tokens: readonly Token[], open: number): number {
  const pairs: Record<string, string> = { '(': ')', '[': ']', '{': '}' }
  let depth = 0
  for (let i = open; i < tokens.length; i++) {
    const token = tokens[i]
    if (token?.kind !== 'punctuation') continue
    if (token.text in pairs) depth++
    else if (Object.values(pairs).includes(token.text) && --depth === 0) return i
  }
  return tokens.length - 1
}
