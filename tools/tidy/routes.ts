// Every route declares who may call it and describes itself, because access and the OpenAPI documents are made of nothing else.

import { type Finding, isTest, type Repository } from './repository.ts'
import { closingIndex, type Token } from './tokens.ts'

const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete', 'head', 'options'])
const SPOKEN = ['summary', 'operationId', 'response']

export function checkRoutes(repository: Repository): Finding[] {
  const findings: Finding[] = []
  for (const { path, code } of repository.sources.values()) {
    if (!/^(services\/[^/]+|packages\/service-kit)\/src\//.test(path) || isTest(path)) continue
    for (const route of findRoutes(code)) {
      const missing = missingParts(code, route, path.startsWith('services/engine/'))
      if (missing.length > 0) findings.push({ path, line: route.line, message: `${route.name} lacks ${missing.join(', ')}` })
    }
  }
  return findings
}

type Route = { readonly name: string; readonly line: number; readonly options: number | undefined }

/** `app.get('/path', { … }, …)` and `app.route({ … })`, where `app` is any one word. */
function findRoutes(code: readonly Token[]): Route[] {
  return code.flatMap((token, i) => {
    if (token.kind !== 'word' || code[i - 1]?.text !== '.' || code[i - 2]?.kind !== 'word' || code[i + 1]?.text !== '(') return []
    const first = code[i + 2]
    if (token.text === 'route' && first?.text === '{') return [{ name: 'a route', line: token.line, options: i + 2 }]
    const isPath = (first?.kind === 'string' || first?.kind === 'template') && /^(\/|\$\{\}|$)/.test(first.text)
    if (!METHODS.has(token.text) || !isPath || code[i + 3]?.text !== ',') return []
    return [{ name: `${token.text.toUpperCase()} ${first.text}`, line: token.line, options: code[i + 4]?.text === '{' ? i + 4 : undefined }]
  })
}

function missingParts(code: readonly Token[], { options }: Route, isEngine: boolean): string[] {
  if (options === undefined) return ['its options in place: `{ config, schema }` as the second argument']
  const config = propertyValue(code, options, 'config')
  const schema = propertyValue(code, options, 'schema')
  const has = (open: number | undefined, name: string) => open !== undefined && propertyValue(code, open, name) !== undefined
  const missing: string[] = []
  // The engine runs in its owner's network and asks for no key (spec §5.3).
  if (!isEngine && !has(config, 'scope') && !has(config, 'public')) missing.push('config.scope or config.public')
  // Pages and probes that are no part of the API are hidden from its description.
  if (has(schema, 'hide')) return missing
  return [...missing, ...SPOKEN.filter((name) => !has(schema, name)).map((name) => `schema.${name}`)]
}

/** Where the value of a property of the object literal that opens at `open` starts. */
function propertyValue(code: readonly Token[], open: number, name: string): number | undefined {
  if (code[open]?.text !== '{') return undefined
  const close = closingIndex(code, open)
  for (let i = open + 1; i < close; i++) {
    const token = code[i]
    const isKey = token?.kind === 'word' && ['{', ','].includes(code[i - 1]?.text ?? '')
    if (isKey && token.text === name) return code[i + 1]?.text === ':' ? i + 2 : i
    if (token?.kind === 'punctuation' && ['{', '(', '['].includes(token.text)) i = closingIndex(code, i)
  }
  return undefined
}
