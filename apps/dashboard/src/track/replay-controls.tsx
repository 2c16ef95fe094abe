import { Button, Group, SegmentedControl, Slider, Text } from '@mantine/core'
import { clockTime, measure } from '../text/format.ts'
import { t } from '../text/translate.ts'
import type { Moment } from './replay.ts'
import { speedBands } from './speed-bands.ts'
import type { Mark } from './track-map.tsx'
import { type Playback, rates } from './use-playback.ts'

type ReplayControlsProps = { playback: Playback; fromMs: number; toMs: number; moment: Moment | undefined; marks: readonly Mark[] }

/** Of the arrow keys, in seconds. */
const STEP_S = 15

export function ReplayControls({ playback, fromMs, toMs, moment, marks }: ReplayControlsProps) {
  const { atMs, isPlaying, rate } = playback
  // Whole seconds, which a screen reader can read.
  const secondsOf = (ms: number) => Math.round((ms - fromMs) / 1000)
  const textOf = (seconds: number) => clockTime(fromMs + seconds * 1000)
  return (
    <section className="panel padded" aria-label={t('Replay')}>
      <Group gap="sm" mb="xs">
        <Button size="sm" miw={96} onClick={() => playback.setPlaying(!isPlaying)}>
          {isPlaying ? t('Pause') : t('Play')}
        </Button>
        <SegmentedControl
          size="xs"
          aria-label={t('Speed of the replay')}
          value={String(rate)}
          onChange={(value) => playback.setRate(Number(value))}
          data={rates.map((each) => ({ value: String(each), label: `${each}×` }))}
        />
        <Text fw={650} className="numbers">
          {clockTime(atMs)}
        </Text>
        <Text c="dimmed" className="numbers">
          {moment?.isInGap === true ? t('No messages') : moment?.speed == null ? '' : measure(moment.speed, 'km/h')}
        </Text>
      </Group>
      <Slider
        mt={40}
        thumbLabel={t('Time of the replay')}
        label={textOf}
        min={0}
        max={Math.max(1, secondsOf(toMs))}
        step={STEP_S}
        value={secondsOf(atMs)}
        onChange={(seconds) => {
          playback.setPlaying(false)
          playback.setAtMs(fromMs + seconds * 1000)
        }}
        marks={marks.map((mark) => ({ value: secondsOf(mark.atMs) }))}
        thumbProps={{ 'aria-valuetext': clockTime(atMs) }}
      />
      <Legend />
    </section>
  )
}

function Legend() {
  return (
    <ul className="speed-legend" aria-label={t('Colours of the track')}>
      {speedBands.map(({ fromKmh, color }, index) => {
        const next = speedBands[index + 1]
        const from = measure(fromKmh, 'km/h')
        return (
          <li key={color}>
            <span style={{ background: color }} />
            {next === undefined ? t('{from} and more', { from }) : t('{from} to {to}', { from, to: measure(next.fromKmh, 'km/h') })}
          </li>
        )
      })}
    </ul>
  )
}
