// For tests: the log of a PostgreSQL.

/** When, which process, and which database: none of a process that works for all of them. */
export const LOG_LINE_PREFIX = '%m [%p] %d '

/** What continues the line before: `DETAIL:`, `STATEMENT:` and their like, and lines that go on. */
const DETAIL = /^\s|^\S+ \S+ \S+ \[\d+\] (\S* )?(DETAIL|HINT|CONTEXT|STATEMENT|QUERY):/

/** The errors, each with its details and its statement. */
export function errorsIn(log: string): string[] {
  const entries: string[] = []
  for (const line of log.split('\n')) {
    if (DETAIL.test(line) && entries.length > 0) entries.push(`${entries.pop()}\n${line}`)
    else entries.push(line)
  }
  return entries.filter((entry) => /\b(ERROR|FATAL|PANIC):/.test(entry.split('\n', 1)[0] ?? ''))
}
