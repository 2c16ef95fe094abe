// How long the end of `npm start` may take.

/** DESIGN §6: from the signal to the end of the process. */
export const STOP_WITHIN_MS = 10_000
/** A child is killed when its time is over, and gets this much more to be gone. */
export const CHILD_REAP_MS = 200

/** What each part may take to stop, one after the other. */
export const STOP_BOUNDS_MS = { demo: 1000, platform: 3000, engine: 1000, postgres: 4500 }
