import { Button, Group, SegmentedControl, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { fromInput, LATEST_INPUT, toInput } from '../text/time-input.ts'
import { t } from '../text/translate.ts'
import { spanMs } from './chart-range.ts'
import { chartSpans, type VehicleSearch } from './vehicle-search.ts'

type RangeChoiceProps = { search: VehicleSearch; onChoose: (range: Pick<VehicleSearch, 'span' | 'from' | 'to'>) => void }

export function RangeChoice({ search: { span, from, to }, onChoose }: RangeChoiceProps) {
  const [isOwn, setOwn] = useState(false)
  const value = from === undefined || to === undefined ? (span ?? chartSpans[0]) : 'own'
  const labels = { '1h': t('1 h'), '24h': t('24 h'), '7d': t('7 days'), '30d': t('30 days') }
  const choose = (chosen: string) => {
    const named = chartSpans.find((each) => each === chosen)
    setOwn(named === undefined)
    if (named !== undefined) onChoose({ span: named })
  }
  return (
    <Group gap="xs">
      <SegmentedControl
        size="xs"
        aria-label={t('Time span')}
        value={isOwn ? 'own' : value}
        onChange={choose}
        data={[...chartSpans.map((each) => ({ value: each, label: labels[each] })), { value: 'own', label: t('Own') }]}
      />
      {(isOwn || value === 'own') && <OwnRange key={`${from} ${to}`} from={from} to={to} onChoose={onChoose} />}
    </Group>
  )
}

function OwnRange({ from, to, onChoose }: Pick<VehicleSearch, 'from' | 'to'> & Pick<RangeChoiceProps, 'onChoose'>) {
  const [start, setStart] = useState(toInput(from ?? new Date(Date.now() - spanMs['24h']).toISOString()))
  const [end, setEnd] = useState(toInput(to ?? new Date().toISOString()))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (start !== '' && end !== '') onChoose({ from: fromInput(start), to: fromInput(end) })
  }
  return (
    <form onSubmit={submit}>
      <Group gap="xs">
        <TextInput
          size="xs"
          type="datetime-local"
          aria-label={t('From')}
          max={end || LATEST_INPUT}
          value={start}
          onChange={(event) => setStart(event.currentTarget.value)}
        />
        <TextInput
          size="xs"
          type="datetime-local"
          aria-label={t('Until')}
          min={start}
          max={LATEST_INPUT}
          value={end}
          onChange={(event) => setEnd(event.currentTarget.value)}
        />
        <Button size="xs" variant="default" type="submit">
          {t('Show')}
        </Button>
      </Group>
    </form>
  )
}
