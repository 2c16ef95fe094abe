/** `Promise.all` over the results of `run`, in the order of the items, with at most `maxUnderWay` of them under way. */
export async function boundedMap<T, R>(items: readonly T[], maxUnderWay: number, run: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const waiting = items.entries()
  const takeNext = async () => {
    for (const [index, item] of waiting) results[index] = await run(item)
  }
  await Promise.all(Array.from({ length: Math.min(maxUnderWay, items.length) }, takeNext))
  return results
}
