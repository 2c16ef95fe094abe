// Comments, texts, names and bodies of functions, within which a semicolon ends nothing. Neither nested comments nor bodies without quotes (`begin atomic`).
const WHOLE = /--[^\n]*|\/\*[\s\S]*?\*\/|\be'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$([a-z_]\w*)?\$[\s\S]*?\$\1\$|;/gi

/** The statements of a script, each with what stands before it; together they are the script. */
export function splitStatements(sql: string): string[] {
  const statements: string[] = []
  let from = 0
  for (const { 0: found, index } of sql.matchAll(WHOLE)) {
    if (found !== ';') continue
    statements.push(sql.slice(from, index + 1))
    from = index + 1
  }
  const rest = sql.slice(from)
  // A comment at the end is no statement.
  if (rest.replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, '').trim() !== '') statements.push(rest)
  return statements
}
