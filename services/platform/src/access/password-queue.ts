// A password is checked or hashed in a third of a second and 128 MB (password.ts), so it is done for one after the other and few may wait.

import { Problem } from '@roadworthy/service-kit/problem'
import { hashPassword, isPassword } from './password.ts'

const MAX_WAITING = 8

export class PasswordQueue {
  #last: Promise<unknown> = Promise.resolve()
  #waitingCount = 0

  check(password: string, stored: string): Promise<boolean> {
    return this.#next(() => isPassword(password, stored))
  }

  hash(password: string): Promise<string> {
    return this.#next(() => hashPassword(password))
  }

  async #next<T>(run: () => Promise<T>): Promise<T> {
    if (this.#waitingCount >= MAX_WAITING) throw new Problem('overloaded', 'Too many people are signing in at once.', { retryAfterS: 3 })
    this.#waitingCount++
    const turn = this.#last.then(run)
    this.#last = turn.catch(() => undefined)
    return await turn.finally(() => this.#waitingCount--)
  }
}
