/**
 * Calls `stop` once when the process that started this one is gone, however it died: the parent holds the other end of standard input,
 * and the kernel closes that even after SIGKILL.
 */
export function onParentExit(stop: () => void): void {
  let isStopped = false
  const end = (): void => {
    if (!isStopped) stop()
    isStopped = true
  }
  for (const event of ['end', 'close', 'error']) process.stdin.once(event, end)
  process.stdin.resume()
}
