import { Button, NumberInput, Stack, Table, Text, TextInput } from '@mantine/core'
import type { OdometerCorrection } from '@roadworthy/contracts/platform-v1/maintenance-schedules'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { correctionsQuery, odometerQuery, useCorrectOdometer } from '../api/vehicle-queries.ts'
import { useIncidentNames } from '../incidents/use-incident-names.ts'
import { maxOdometer } from '../maintenance/work-fields.tsx'
import { useMayChange } from '../session/use-session.ts'
import { Confirmation } from '../shell/confirmation.tsx'
import { Facts } from '../shell/facts.tsx'
import { NotLoaded } from '../shell/not-loaded.tsx'
import { PagedPanel } from '../shell/paged-panel.tsx'
import { Panel } from '../shell/panel.tsx'
import { decimalNumber, distance } from '../text/format.ts'
import { numberMarks } from '../text/number-marks.ts'
import { TimeAgo } from '../text/time-ago.tsx'
import { t } from '../text/translate.ts'
import { givenValue, shownUnit } from '../text/units.ts'

const MAX_REASON_CHARACTERS = 500

export function OdometerTab({ vehicleId }: { vehicleId: string }) {
  const asked = useQuery(odometerQuery(vehicleId))
  const mayChange = useMayChange()
  const [isOpen, setOpen] = useState(false)
  const { data } = asked
  return (
    <Stack gap="md">
      <Panel
        title={t('Odometer and use')}
        actions={
          mayChange && (
            <Button size="xs" variant="default" onClick={() => setOpen(true)}>
              {t('Correct')}
            </Button>
          )
        }
      >
        {data === undefined ? (
          <NotLoaded asked={asked} what={t('odometer')} />
        ) : (
          <Facts
            facts={[
              [t('Odometer'), data.odometer_km === null ? t('not known') : distance(data.odometer_km)],
              [t('Read'), data.odometerAt === null ? undefined : <TimeAgo key="km" time={data.odometerAt} />],
              [t('Engine hours'), data.engine_hours === null ? t('not known') : `${decimalNumber(data.engine_hours, 1)} h`],
              [t('Distance a day'), data.use.km_per_day === null ? t('not known') : distance(data.use.km_per_day)],
              [
                t('Engine hours a day'),
                data.use.engine_hours_per_day === null ? t('not known') : `${decimalNumber(data.use.engine_hours_per_day, 1)} h`,
              ],
              [t('Days of data behind these'), data.use.days],
            ]}
          />
        )}
      </Panel>
      <Corrections vehicleId={vehicleId} />
      {isOpen && <CorrectDialog vehicleId={vehicleId} onClose={() => setOpen(false)} />}
    </Stack>
  )
}

function CorrectDialog({ vehicleId, onClose }: { vehicleId: string; onClose: () => void }) {
  const change = useCorrectOdometer(vehicleId)
  const [shown, setShown] = useState<number | string>('')
  const [hours, setHours] = useState<number | string>('')
  const [reason, setReason] = useState('')
  const confirm = () =>
    change.mutate(
      {
        ...(typeof shown === 'number' ? { odometer_km: Math.round(givenValue('km', shown)) } : {}),
        ...(typeof hours === 'number' ? { engine_hours: hours } : {}),
        reason: reason.trim(),
      },
      { onSuccess: onClose },
    )
  return (
    <Confirmation
      title={t('Correct the odometer')}
      text={t(
        'For a replaced instrument cluster, or a device that counts from its installation. What the vehicle reports from now on counts on from here; schedules are worked out anew.',
      )}
      label={t('Correct')}
      change={change}
      isReady={reason.trim() !== '' && (typeof shown === 'number' || typeof hours === 'number')}
      onConfirm={confirm}
      onClose={onClose}
    >
      <NumberInput
        label={t('Odometer ({unit})', { unit: shownUnit('km') })}
        description={t('What it shows now.')}
        min={0}
        max={maxOdometer()}
        hideControls
        {...numberMarks}
        value={shown}
        onChange={setShown}
        data-autofocus
      />
      <NumberInput label={t('Engine hours')} min={0} decimalScale={1} hideControls {...numberMarks} value={hours} onChange={setHours} />
      <TextInput
        label={t('Reason')}
        required
        maxLength={MAX_REASON_CHARACTERS}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </Confirmation>
  )
}

function Corrections({ vehicleId }: { vehicleId: string }) {
  const asked = useInfiniteQuery(correctionsQuery(vehicleId))
  return (
    <PagedPanel asked={asked} what={t('corrections')}>
      {(pages) => {
        const corrections = pages.flatMap((page) => page.corrections)
        return corrections.length === 0 ? (
          <Text p="md" c="dimmed">
            {t('The odometer was never corrected.')}
          </Text>
        ) : (
          <CorrectionTable corrections={corrections} />
        )
      }}
    </PagedPanel>
  )
}

function CorrectionTable({ corrections }: { corrections: readonly OdometerCorrection[] }) {
  const { personOf } = useIncidentNames([])
  const km = (value: number | null) => (value === null ? '–' : distance(value))
  const hours = (value: number | null) => (value === null ? '–' : `${decimalNumber(value, 1)} h`)
  return (
    <Table verticalSpacing={8} horizontalSpacing="sm">
      <Table.Caption className="visually-hidden">{t('Corrections')}</Table.Caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('Corrected')}</Table.Th>
          <Table.Th>{t('Odometer')}</Table.Th>
          <Table.Th>{t('Engine hours')}</Table.Th>
          <Table.Th visibleFrom="sm">{t('Reason')}</Table.Th>
          <Table.Th visibleFrom="sm">{t('By')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {corrections.map((each) => (
          <Table.Tr key={each.id}>
            <Table.Td>
              <TimeAgo time={each.correctedAt} />
              <Text size="xs" c="dimmed" hiddenFrom="sm" className="breaking">
                {each.reason} · {personOf(each.correctedBy)}
              </Text>
            </Table.Td>
            <Table.Td className="numbers">
              {each.odometer_km === null ? '–' : `${km(each.formerOdometer_km)} → ${km(each.odometer_km)}`}
            </Table.Td>
            <Table.Td className="numbers">
              {each.engine_hours === null ? '–' : `${hours(each.formerEngine_hours)} → ${hours(each.engine_hours)}`}
            </Table.Td>
            <Table.Td visibleFrom="sm" className="breaking">
              {each.reason}
            </Table.Td>
            <Table.Td visibleFrom="sm">{personOf(each.correctedBy)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
