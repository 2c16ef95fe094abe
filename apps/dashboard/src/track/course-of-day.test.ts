import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Alert } from '@roadworthy/contracts/platform-v1/alerts'
import { courseOfDay } from './course-of-day.ts'

const START_MS = Date.parse('2026-11-20T08:00:00.000Z')
const at = (minute: number) => new Date(START_MS + minute * 60_000).toISOString()
const point = (minute: number, longitude: number) => ({ at: at(minute), latitude: 49, longitude, speed: 50, heading: null, ignition: null })

test('a day is drives between stops and gaps, with the alerts where they were raised', () => {
  const entries = courseOfDay(
    {
      points: [point(0, 8), point(20, 8.2), point(40, 8.2), point(50, 8.3), point(120, 9), point(130, 9.1)],
      stops: [{ from: at(20), to: at(40), latitude: 49, longitude: 8.2 }],
      gaps: [{ from: at(50), to: at(120) }],
    },
    [{ id: 'alr-1', timestamp: at(45) } as Alert],
  )
  assert.deepEqual(
    entries.map(({ kind, fromMs, toMs, place }) => [kind, (fromMs - START_MS) / 60_000, (toMs - START_MS) / 60_000, place?.longitude]),
    [
      ['drive', 0, 20, 8],
      ['stop', 20, 40, 8.2],
      ['drive', 40, 50, 8.2],
      ['alert', 45, 45, 8.2],
      ['gap', 50, 120, 8.3],
      ['drive', 120, 130, 9],
    ],
  )
})

test('a day without positions has its alerts alone', () => {
  assert.deepEqual(courseOfDay({ points: [], stops: [], gaps: [] }, []), [])
  assert.deepEqual(
    courseOfDay({ points: [], stops: [], gaps: [] }, [{ id: 'alr-1', timestamp: at(1) } as Alert]).map(({ kind, place }) => [kind, place]),
    [['alert', undefined]],
  )
})
