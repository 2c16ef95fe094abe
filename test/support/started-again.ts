// For tests: on a machine with much to do a service may end because its database does not answer in time while it starts, and asks to be started again,
// which is done.

/** Of a start that took half a minute each on a machine with thirty processes that wait for two processors, five were not enough. */
export const MOST_STARTS = 10
/** With which a service asks to be started again. */
export const DATABASE_WAS_LATE = 'The database did not answer in time while the service started'

/** `start` rejects with what the service printed. Every start is the first of its instance: `start` makes that anew. */
export async function startedAgain<Started>(start: () => Promise<Started>): Promise<Started> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start()
    } catch (error) {
      if (attempt === MOST_STARTS || !String(error).includes(DATABASE_WAS_LATE)) throw error
    }
  }
}
