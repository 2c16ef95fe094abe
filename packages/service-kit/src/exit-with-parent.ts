/**
 * Calls `stop` once when the process that started this one is gone, however it died: the parent holds the other end of standard input,
 * and the kernel closes that even after SIGKILL.
 */
export function onParentExit(stop: () => void): void {
  let isTold = false
  const end = (): void => {
    if (!isTold) stop()
    isTold = true
  }
  for (const event of ['end', 'close', 'error']) process.stdin.once(event, end)
  process.stdin.resume()
}
