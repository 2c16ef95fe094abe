import assert from 'node:assert/strict'
import { test } from 'node:test'
import { coloredLines, courseOf, momentAt } from './replay.ts'

const START_MS = Date.parse('2026-11-20T08:00:00.000Z')
const at = (minute: number) => new Date(START_MS + minute * 60_000).toISOString()
const point = (minute: number, longitude: number, speed: number | null = 50) => ({
  ...{ at: at(minute), latitude: 49, longitude, speed, heading: 90, ignition: true },
})
const minute = (count: number) => START_MS + count * 60_000

test('between two points the vehicle drives evenly, the short way round the Earth', () => {
  const course = courseOf({ points: [point(0, 8, 40), point(10, 9, 60)], gaps: [] })
  assert.equal(momentAt(course, minute(-1)), undefined)
  assert.deepEqual(momentAt(course, minute(5)), { longitude: 8.5, latitude: 49, speed: 50, heading: 90, isInGap: false })
  assert.equal(momentAt(course, minute(99))?.longitude, 9)
  const pacific = courseOf({ points: [point(0, 179), point(2, -179)], gaps: [] })
  assert.equal(momentAt(pacific, minute(1))?.longitude, 180)
  assert.equal(momentAt(courseOf({ points: [], gaps: [] }), minute(0)), undefined)
})

test('in a gap it is where it was heard last, and that is shown', () => {
  const course = courseOf({ points: [point(0, 8), point(60, 9)], gaps: [{ from: at(0), to: at(60) }] })
  assert.deepEqual([momentAt(course, minute(30))?.longitude, momentAt(course, minute(30))?.isInGap], [8, true])
  assert.deepEqual([momentAt(course, minute(60))?.longitude, momentAt(course, minute(60))?.isInGap], [9, false])
})

test('the line has a piece for each run of one speed, and none across a gap', () => {
  const points = [point(0, 8, 10), point(1, 8.1, 10), point(2, 8.2, 90), point(60, 9, 90), point(61, 9.1, 90)]
  const lines = coloredLines(courseOf({ points, gaps: [{ from: at(2), to: at(60) }] }), (speed) => ((speed ?? 0) > 50 ? 1 : 0))
  assert.deepEqual(
    lines.map(({ properties, geometry }) => [
      properties?.['band'],
      geometry.coordinates.map(([longitude = 0]) => Number(longitude.toFixed(6))),
    ]),
    [
      [0, [8, 8.1]],
      [1, [8.1, 8.2]],
      [1, [9, 9.1]],
    ],
  )
})
