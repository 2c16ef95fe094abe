/** Why a step of the test of a connection failed, in words for whoever asked for it. */
export class StepError extends Error {
  override readonly name = 'StepError'
}
