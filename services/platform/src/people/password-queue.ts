// A password is checked or hashed in a third of a second and 128 MB (password.ts), so it is done for one after the other and few may wait.
// People at a place they signed in from before have slots of their own and go first; among the others nobody has more than a fair share.

import { Problem } from '@roadworthy/service-kit/http/problem'
import { hashPassword, isPassword, type PasswordCost } from './password.ts'

/** Within which the last of them has its turn on a slow machine: five seconds. */
const MAX_WAITING = { known: 16, unknown: 8 }
/** Of one account among the known, of one address block among the others. */
const MAX_WAITING_OF_ONE = 2
/** So often one of the others goes before those that are known, so that these cannot starve them. */
const UNKNOWN_EVERY = 4

/** `name` is who holds the slot: the account where it is known, else the address block. Without one only the slots are limited. */
export type Waiting = { readonly isKnown: boolean; readonly name: string | undefined }

type Lane = keyof typeof MAX_WAITING
type Turn = () => Promise<void>

/** One who holds a slot. */
export type PasswordSlot = {
  check(password: string, stored: string): Promise<boolean>
  hash(password: string): Promise<string>
}

export class PasswordQueue {
  readonly #holders: Readonly<Record<Lane, (string | undefined)[]>> = { known: [], unknown: [] }
  readonly #turns: Readonly<Record<Lane, Turn[]>> = { known: [], unknown: [] }
  readonly #cost: PasswordCost | undefined
  #isBusy = false
  #turnCount = 0

  constructor(cost?: PasswordCost) {
    this.#cost = cost
  }

  /** Runs what needs a password checked or hashed; refuses at once when there is no slot. The slot is held until `run` is done. */
  async inSlot<T>({ isKnown, name }: Waiting, run: (slot: PasswordSlot) => Promise<T>): Promise<T> {
    const lane = isKnown ? 'known' : 'unknown'
    const holders = this.#holders[lane]
    const ownCount = name === undefined ? 0 : holders.filter((each) => each === name).length
    if (holders.length >= MAX_WAITING[lane] || ownCount >= MAX_WAITING_OF_ONE) {
      throw new Problem('overloaded', 'Too many people are signing in at once.', { retryAfterS: 3 })
    }
    holders.push(name)
    try {
      return await run({
        check: (password, stored) => this.#inTurn(lane, () => isPassword(password, stored)),
        hash: (password) => this.#inTurn(lane, () => hashPassword(password, this.#cost)),
      })
    } finally {
      holders.splice(holders.indexOf(name), 1)
    }
  }

  #inTurn<T>(lane: Lane, run: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#turns[lane].push(() => run().then(resolve, reject))
      if (!this.#isBusy) void this.#runTurns()
    })
  }

  async #runTurns(): Promise<void> {
    this.#isBusy = true
    for (let turn = this.#nextTurn(); turn !== undefined; turn = this.#nextTurn()) await turn()
    this.#isBusy = false
  }

  #nextTurn(): Turn | undefined {
    const { known, unknown } = this.#turns
    const isForUnknown = ++this.#turnCount % UNKNOWN_EVERY === 0
    return isForUnknown ? (unknown.shift() ?? known.shift()) : (known.shift() ?? unknown.shift())
  }
}
