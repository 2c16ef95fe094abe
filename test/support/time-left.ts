// The last tests of a run that is ended from outside at a fixed time: what would not be over by then is left out, and says so.

/** Why work that takes this long is not begun; undefined where it is. `ROADWORTHY_TESTS_END_AT`: seconds since 1970. */
export function whyTooLate(takesS: number): string | undefined {
  const leftS = Number(process.env['ROADWORTHY_TESTS_END_AT'] ?? Number.POSITIVE_INFINITY) - Date.now() / 1000
  return leftS < takesS ? `takes up to ${takesS} s, and ${leftS.toFixed(0)} are left (ROADWORTHY_TESTS_END_AT)` : undefined
}
