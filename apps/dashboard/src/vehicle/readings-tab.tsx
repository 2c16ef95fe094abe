import { Button, CopyButton, Group, Select, Text } from '@mantine/core'
import type { Reading } from '@roadworthy/contracts/platform-v1/readings'
import { signalNames, signals, signalsByWireKey } from '@roadworthy/signals/registry'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { rawReadingsQuery } from '../api/vehicle-queries.ts'
import { Message } from '../shell/message.tsx'
import { PagedPanel } from '../shell/paged-panel.tsx'
import { Panel } from '../shell/panel.tsx'
import { absoluteTime } from '../text/format.ts'
import { signalValue } from '../text/signal-value.ts'
import { t, tListed } from '../text/translate.ts'
import { rangeOf } from './chart-range.ts'
import { RangeChoice } from './range-choice.tsx'
import { readVehicleSearch, type VehicleSearch } from './vehicle-search.ts'

/** What was stored, as it was understood, newest first. */
export function ReadingsTab({ vehicleId }: { vehicleId: string }) {
  const search = useSearch({ from: '/vehicles/$vehicleId' })
  const navigate = useNavigate({ from: '/vehicles/$vehicleId' })
  const asked = useInfiniteQuery(rawReadingsQuery(vehicleId, { range: rangeOf(search), signal: search.signal }))
  const show = (changes: VehicleSearch) => void navigate({ search: readVehicleSearch({ ...changes, tab: 'readings' }), replace: true })
  const range = search.from === undefined ? { span: search.span } : { from: search.from, to: search.to }
  const options = signalNames.map((name) => ({ value: name, label: tListed(signals[name].label) }))
  return (
    <Panel
      title={t('Readings')}
      actions={
        <Group gap="xs">
          <Select
            size="xs"
            aria-label={t('Signal')}
            placeholder={t('All signals')}
            clearable
            searchable
            data={options}
            value={search.signal ?? null}
            onChange={(value) => show(readVehicleSearch({ ...range, signal: value }))}
          />
          <RangeChoice
            search={search}
            onChoose={(chosen) => show({ ...(search.signal === undefined ? {} : { signal: search.signal }), ...chosen })}
          />
        </Group>
      }
    >
      <PagedPanel asked={asked} what={t('readings')}>
        {(pages) => {
          const readings = pages.flatMap((page) => page.readings ?? [])
          return readings.length === 0 ? (
            <Message title={t('Nothing was reported in this time')}>{t('Choose a longer time, or an earlier one.')}</Message>
          ) : (
            <>
              <Text size="xs" c="dimmed" p="sm">
                {t('{shown} of {total, plural, one {# reading} other {# readings}}, newest first', {
                  shown: readings.length,
                  total: pages[0]?.total ?? 0,
                })}
              </Text>
              <ul className="raw-readings">
                {readings.map((reading) => (
                  <RawReading key={reading.id} reading={reading} />
                ))}
              </ul>
            </>
          )
        }}
      </PagedPanel>
    </Panel>
  )
}

function RawReading({ reading }: { reading: Reading }) {
  const json = JSON.stringify(reading, null, 2)
  return (
    <li>
      <details>
        <summary>
          <span className="numbers">{absoluteTime(reading.recordedAt)}</span>{' '}
          <Text span size="sm" c="dimmed">
            {summaryOf(reading)}
          </Text>
        </summary>
        <Group align="flex-start" wrap="nowrap">
          <pre className="json">{json}</pre>
          <CopyButton value={json}>
            {({ copied, copy }) => (
              <Button size="xs" variant="default" onClick={copy}>
                {copied ? t('Copied') : t('Copy')}
              </Button>
            )}
          </CopyButton>
        </Group>
      </details>
    </li>
  )
}

const MAX_VALUES = 4

/** The first values, in the units of the person; the record itself keeps those of the API. */
function summaryOf({ signals: values, implausible }: Reading): string {
  const texts = Object.entries(values).flatMap(([key, value]) => {
    const known = signalsByWireKey.get(key)
    return known === undefined ? [] : [`${tListed(signals[known.name].label)} ${signalValue(known.name, value * known.scale)}`]
  })
  const more = texts.length > MAX_VALUES ? [t('{count} more', { count: texts.length - MAX_VALUES })] : []
  const doubtful = implausible.length === 0 ? [] : [t('implausible: {fields}', { fields: implausible.join(', ') })]
  return [...texts.slice(0, MAX_VALUES), ...more, ...doubtful].join(' · ')
}
