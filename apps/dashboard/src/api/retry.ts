import { ApiError } from './client.ts'

const MAX_RETRIES = 2
/** A busy service answers 503 itself; a proxy answers so in its place while it restarts. */
const AWAY: readonly number[] = [502, 503, 504]

/**
 * Whether a question is asked again at once, after a second and two. What was refused will be refused again; an answer that did not arrive, or that
 * a busy service could not give, may come. A change is never sent again by itself.
 */
export function isAskedAgain(failureCount: number, error: Error): boolean {
  return failureCount < MAX_RETRIES && (!(error instanceof ApiError) || AWAY.includes(error.status))
}

/** Whether it is not there, or not for this person: a page that asks for it from time to time stops, and goes on showing that. */
export function isMissing(error: Error | null): boolean {
  return error instanceof ApiError && error.status === 404
}
