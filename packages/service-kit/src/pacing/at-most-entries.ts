/**
 * Options of an `LRUCache` that holds so many entries at most and grows with them. By its option `max` the library takes the memory of all of them at
 * once, 24 bytes each: 7 MB for the caches of a process that has just started.
 */
export function atMostEntries(count: number): { readonly maxSize: number; readonly sizeCalculation: () => number } {
  return { maxSize: count, sizeCalculation: () => 1 }
}
