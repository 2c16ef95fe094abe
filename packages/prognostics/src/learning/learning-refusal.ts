/** Data that nothing can be learned from, or measured on, as it is. The message is for the person who brought it. */
export class LearningRefusal extends Error {
  override readonly name = 'LearningRefusal'
}
