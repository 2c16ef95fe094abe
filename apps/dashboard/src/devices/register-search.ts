/** The step, as it stands in the address: without one it is the first. */
export type RegisterSearch = { step?: 'vehicle'; registered?: string }

export function readRegisterSearch({ step, registered }: Record<string, unknown>): RegisterSearch {
  if (typeof registered === 'string' && registered !== '') return { registered }
  return step === 'vehicle' ? { step } : {}
}
