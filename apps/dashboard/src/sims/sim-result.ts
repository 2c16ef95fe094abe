// What became of each SIM of a bulk request.

/** Why a SIM was refused, as the service reports it. */
export type SimRefusal = { readonly code: string; readonly message: string; readonly details?: Readonly<Record<string, unknown>> }
/** `accepted`: done, or asked of the operator. `unchanged`: there was nothing to do. */
export type SimResult = {
  readonly simId: string
  readonly status: 'accepted' | 'unchanged' | 'refused'
  readonly refusal?: SimRefusal
}
