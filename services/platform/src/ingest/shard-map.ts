import assert from 'node:assert/strict'
import { hashText } from '@roadworthy/service-kit/postgres/hash-text'
import type { Reading } from '../readings/reading.ts'
import type { Shard } from './shards.read.sql.ts'

/** What of a batch goes to one shard. */
export type ShardPart = {
  readonly shard: Shard
  /** Their places in the batch. */
  readonly indices: number[]
  readonly readings: Reading[]
  /** Readings of other sources whose devices have their state on this shard. */
  readonly heard: Reading[]
}

/** `shards`: by their hashes, without a gap. */
export function splitByShard(shards: readonly Shard[], readings: readonly Reading[]): ShardPart[] {
  const parts = new Map<Shard, ShardPart>()
  const partOf = (sourceId: string): ShardPart => {
    const shard = shardOf(shards, sourceId)
    const known = parts.get(shard)
    if (known !== undefined) return known
    const part = { shard, indices: [], readings: [], heard: [] }
    parts.set(shard, part)
    return part
  }
  for (const [index, reading] of readings.entries()) {
    const part = partOf(reading.sourceId)
    part.indices.push(index)
    part.readings.push(reading)
    const { deviceId, sourceId } = reading
    if (deviceId !== undefined && deviceId !== sourceId) partOf(deviceId).heard.push(reading)
  }
  return [...parts.values()]
}

export function shardOf(shards: readonly Shard[], sourceId: string): Shard {
  const hash = hashText(sourceId)
  let low = 0
  let high = shards.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (hash <= (shards[middle]?.to ?? 0)) high = middle
    else low = middle + 1
  }
  return shards[low] ?? assert.fail('a cluster has shards')
}
