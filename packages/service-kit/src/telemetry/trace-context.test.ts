import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatTraceparent, parseTraceparent, unsampledTraceparent } from './trace-context.ts'

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN_ID = '00f067aa0ba902b7'
const GIVEN = `00-${TRACE_ID}-${SPAN_ID}-01`

test('a traceparent is read and written as it came', () => {
  assert.deepEqual(parseTraceparent(GIVEN), { traceId: TRACE_ID, spanId: SPAN_ID, isSampled: true })
  assert.equal(formatTraceparent({ traceId: TRACE_ID, spanId: SPAN_ID, isSampled: true }), GIVEN)
  assert.deepEqual(
    ['00', '02', '03', 'ff'].map((flags) => parseTraceparent(`00-${TRACE_ID}-${SPAN_ID}-${flags}`)?.isSampled),
    [false, false, true, true],
  )
})

test('what is none is none, however long it is', () => {
  const wrong = [
    ...[undefined, null, 1, '', {}, [GIVEN], 'x'.repeat(1_000_000), `${GIVEN}-`, GIVEN.slice(1), ` ${GIVEN.slice(1)}`],
    ...[GIVEN.toUpperCase(), GIVEN.replace('00-', 'ff-'), GIVEN.replace('-01', '-0g'), `00-${'0'.repeat(32)}-${SPAN_ID}-01`],
    ...[`00-${TRACE_ID}-${'0'.repeat(16)}-01`, `00_${TRACE_ID}_${SPAN_ID}_01`, GIVEN.replace(/.$/, '\n')],
  ]
  for (const each of wrong) assert.equal(parseTraceparent(each), undefined, String(each).slice(0, 80))
})

test('of a trace that nobody keeps there is another one each time', () => {
  const [one, other] = [parseTraceparent(unsampledTraceparent()), parseTraceparent(unsampledTraceparent())]
  assert.deepEqual([one?.isSampled, other?.isSampled], [false, false])
  assert.notEqual(one?.traceId, other?.traceId)
})
