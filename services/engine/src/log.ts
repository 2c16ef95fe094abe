import type { FastifyBaseLogger } from 'fastify'

/** JSON lines on standard error. Standard output carries the ready line and nothing else. */
export function createLog(
  write: (line: string) => void,
  nowMs: () => number,
  bound: Readonly<Record<string, unknown>> = {},
): FastifyBaseLogger {
  const at =
    (level: string) =>
    (first: unknown, message?: unknown): void => {
      const fields = typeof first === 'object' && first !== null ? first : {}
      const text = typeof first === 'string' ? first : message
      write(`${JSON.stringify({ time: new Date(nowMs()).toISOString(), level, ...bound, ...plain(fields), msg: text })}\n`)
    }
  const quiet = (): void => {}
  return {
    level: 'info',
    fatal: at('fatal'),
    error: at('error'),
    warn: at('warn'),
    info: at('info'),
    debug: quiet,
    trace: quiet,
    silent: quiet,
    child: (more: Record<string, unknown>) => createLog(write, nowMs, { ...bound, ...more }),
  } as FastifyBaseLogger
}

function plain(fields: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [
      key,
      value instanceof Error ? { name: value.name, message: value.message, stack: value.stack } : value,
    ]),
  )
}
