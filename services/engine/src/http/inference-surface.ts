import type { Surface } from '@roadworthy/service-kit/http/http'
import { engineSurface } from './engine-surface.ts'

/** The Open Inference Protocol has one string for an error: ours begins with its code. */
export const inferenceSurface: Surface = {
  name: 'inference',
  errors: engineSurface.errors,
  envelope: ({ code, message }) => ({ error: `${code}: ${message}` }),
  // To the letter: KServe's client shows the message of no other.
  contentType: 'application/json',
}
