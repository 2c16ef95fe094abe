// Background work that this slice asks for in the transaction of a change, for slices that come after it (`sims`).

/** By the device's id: its SIM number, its sub-client or its end changed. Its SIM follows. */
export const DEVICE_CHANGED_JOB = 'device_changed'

/** By the sub-client's id: it is deactivated, and its devices left it. So do its SIMs. */
export const SUB_CLIENT_LEFT_JOB = 'sub_client_left'
