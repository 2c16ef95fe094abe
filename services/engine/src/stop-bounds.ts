// How long a stop waits for what was begun.

/** In-flight requests take milliseconds; whatever is still open after this is a connection that does not let go. */
export const DRAIN_BOUND_MS = 5000
/** Traces that are left are sent, or not. */
export const TRACES_BOUND_MS = 1000
/** A batch of answers takes well under a second; longer only when the broker does not answer. */
export const INPUT_STOP_BOUND_MS = 5000
