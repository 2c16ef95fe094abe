import { OperatorError } from '../operators/operator.ts'
import type { StepContext } from './step-context.ts'
import type { SyncError } from './sync.ts'

/**
 * Asks the operator about each, as many at once as it allows. What it answers for one SIM only (it does not know it, it refuses) is an error of that
 * SIM; anything else ends the step, which is then taken again.
 */
export async function askEach<S extends { readonly iccid: string }, T>(
  { operators, connection }: StepContext,
  sims: readonly S[],
  ask: (sim: S) => Promise<T>,
): Promise<{ answers: T[]; errors: SyncError[] }> {
  const answers: T[] = []
  const errors: SyncError[] = []
  const waiting = [...sims]
  const work = async () => {
    for (let sim = waiting.shift(); sim !== undefined; sim = waiting.shift()) {
      try {
        answers.push(await ask(sim))
      } catch (error) {
        if (!(error instanceof OperatorError) || (error.kind !== 'not_found' && error.kind !== 'rejected')) {
          // Nobody goes on asking an operator that does not answer.
          waiting.length = 0
          throw error
        }
        errors.push({ iccid: sim.iccid, connectionId: connection.connectionId, code: error.kind, message: error.message })
      }
    }
  }
  const { maxConcurrent } = operators.of(connection).caps
  await Promise.all(Array.from({ length: Math.min(maxConcurrent, sims.length) }, work))
  return { answers, errors }
}
