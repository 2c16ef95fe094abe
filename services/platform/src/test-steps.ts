// For tests only, in a process that is to be killed: it stops dead at one of its steps, so that whoever started it can kill it there. A step is what
// reaches out of the process: before and after each statement or transaction, and each call of somebody else.

export type Steps = {
  /** The same object, whose methods stop before and after. Those named in `inner` answer an object of this kind. */
  stepped<T extends object>(object: T, name: string, inner?: readonly string[]): T
  /** Reports that it came to its end. */
  end(): void
}

/** Counted from 1; more than there are: it ends by itself. */
export function stopAt(stopAtStep: number): Steps {
  let step = 0
  async function reach(what: string): Promise<void> {
    step++
    if (step !== stopAtStep) return
    process.stdout.write(`stopped ${what}\n`)
    // Whoever started this process ends it.
    await new Promise(() => setInterval(() => undefined, 60_000))
  }
  function stepped<T extends object>(object: T, name: string, inner: readonly string[] = []): T {
    return new Proxy(object, {
      get: (target, key) => {
        const member = Reflect.get(target, key) as unknown
        if (typeof member !== 'function') return member
        const call = (...given: unknown[]) => (member as (...all: unknown[]) => unknown).apply(target, given)
        if (inner.includes(String(key))) return (...given: unknown[]) => stepped(call(...given) as object, `${name}.${String(key)}`)
        return async (...given: unknown[]) => {
          await reach(`before ${name}.${String(key)}`)
          const answer = await call(...given)
          await reach(`after ${name}.${String(key)}`)
          return answer
        }
      },
    })
  }
  return { stepped, end: () => void process.stdout.write(`ended after ${step}\n`) }
}
