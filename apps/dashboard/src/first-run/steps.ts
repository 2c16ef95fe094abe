// What a new account does first, in its order.

import type { FirstSteps } from '@roadworthy/contracts/platform-v1/overview'
import type { Session } from '@roadworthy/contracts/platform-v1/session'

const order = ['apiKey', 'device', 'reading', 'prediction', 'webhook'] as const satisfies readonly (keyof FirstSteps)[]
export type StepName = (typeof order)[number]
export type Step = { readonly name: StepName; readonly isDone: boolean; readonly isNext: boolean }

/** Keys are made by owners alone: to others that step is shown once it is done. */
export function stepsFor({ role }: Pick<Session, 'role'>, done: FirstSteps): readonly Step[] {
  const names = order.filter((name) => name !== 'apiKey' || role === 'owner' || done.apiKey)
  const next = names.find((name) => !done[name])
  return names.map((name) => ({ name, isDone: done[name], isNext: name === next }))
}
