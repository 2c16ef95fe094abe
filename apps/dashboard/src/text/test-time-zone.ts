// For tests only: another time zone of the computer, for one test.

/** Has the zone be what it was after the test: files of tests share a process, and a zone named "undefined" is none. */
export function keepTimeZone(t: { after(cleanUp: () => void): void }): void {
  const before = process.env['TZ']
  t.after(() => {
    if (before === undefined) delete process.env['TZ']
    else process.env['TZ'] = before
  })
}
