/** What can be wrong with a model directory. */
export type ModelErrorCode =
  | 'model_missing'
  | 'model_exists'
  | 'not_writable'
  | 'manifest_invalid'
  | 'file_missing'
  | 'file_too_large'
  | 'file_size_differs'
  | 'file_hash_differs'
  | 'golden_rows_differ'

/** A model directory that cannot be used; the message is for the operator who installed it. */
export class ModelError extends Error {
  override readonly name = 'ModelError'
  readonly code: ModelErrorCode

  constructor(code: ModelErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause })
    this.code = code
  }
}
