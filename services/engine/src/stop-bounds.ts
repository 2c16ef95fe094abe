// How long a stop waits for what was begun.

/** Whatever is still open after this is a connection that does not let go. */
export const DRAIN_BOUND_MS = 5000
/** The largest batch takes a second or two, and the last that was taken on waits for those before it. What is left of the bound is for the end of the process. */
export const OPEN_REQUESTS_MS = 4000
/** Traces that are left are sent, or not. */
export const TRACES_BOUND_MS = 1000
/** A batch of answers takes well under a second; longer only when the broker does not answer. */
export const INPUT_STOP_BOUND_MS = 5000
