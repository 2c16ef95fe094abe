/** An export that cannot be made, or one that cannot be imported. The message is for a person: what is wrong, and what to do about it. */
export class MoveProblem extends Error {
  override readonly name = 'MoveProblem'
}
