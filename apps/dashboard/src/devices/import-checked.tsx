import { Alert, Button, Group, SegmentedControl, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { CheckIcon, CrossIcon } from '../shell/icons.tsx'
import { Missing } from '../shell/missing.tsx'
import { Panel } from '../shell/panel.tsx'
import { saveCsv } from '../shell/save-file.ts'
import { StatusBadge } from '../shell/status-badge.tsx'
import { SubClientName } from '../sub-clients/sub-client-name.tsx'
import { t } from '../text/translate.ts'
import { type CheckedRow, type Chosen, columnOfField, refusedCsv } from './import-rows.ts'

/** As many rows as are drawn at once. */
const SHOWN_ROWS = 100

type CheckedPanelProps = {
  chosen: Chosen
  rows: readonly CheckedRow[]
  isRegistering: boolean
  onRegister: () => void
  onStartAnew: () => void
}

/** What would become of each row, before anything is registered. */
export function CheckedPanel({ chosen: { name, list }, rows, isRegistering, onRegister, onStartAnew }: CheckedPanelProps) {
  const refused = rows.filter(({ error }) => error !== null)
  const goodCount = rows.length - refused.length
  return (
    <Panel title={name}>
      <Stack gap="md">
        <Verdict goodCount={goodCount} refusedCount={refused.length} />
        {list.unread.length > 0 && (
          <Text size="sm" role="note">
            {t('These columns mean nothing here and are left out: {columns}', { columns: list.unread.join(', ') })}
          </Text>
        )}
        <Group gap="xs">
          {goodCount > 0 && (
            <Button onClick={onRegister} loading={isRegistering}>
              {refused.length === 0
                ? t('{count, plural, one {Register # device} other {Register # devices}}', { count: goodCount })
                : t('{count, plural, one {Register the other one} other {Register the other #}}', { count: goodCount })}
            </Button>
          )}
          {refused.length > 0 && (
            <Button variant="default" onClick={() => saveCsv('devices-refused.csv', refusedCsv(list, refused))}>
              {t('Download what is wrong')}
            </Button>
          )}
          <Button variant="default" onClick={onStartAnew} disabled={isRegistering}>
            {t('Choose another file')}
          </Button>
        </Group>
        <Rows rows={rows} refused={refused} />
      </Stack>
    </Panel>
  )
}

function Verdict({ goodCount, refusedCount }: { goodCount: number; refusedCount: number }) {
  const good = t('{count, plural, one {# device can be registered} other {# devices can be registered}}', { count: goodCount })
  if (refusedCount === 0) {
    return (
      <Alert color="green" role="status" icon={<CheckIcon />} title={good}>
        {t('Nothing is registered yet. Passwords are made when you register, and shown once.')}
      </Alert>
    )
  }
  const wrong = t('{count, plural, one {# row is wrong} other {# rows are wrong}}', { count: refusedCount })
  return (
    <Alert color="orange" role="status" icon={<CrossIcon />} title={goodCount === 0 ? wrong : `${wrong}, ${good}`}>
      {t('Nothing is registered yet. Correct the file and choose it again, or go on without the rows that are wrong.')}
    </Alert>
  )
}

function Rows({ rows, refused }: { rows: readonly CheckedRow[]; refused: readonly CheckedRow[] }) {
  const [view, setView] = useState(refused.length > 0 ? 'wrong' : 'all')
  const [isWhole, setWhole] = useState(false)
  const chosen = view === 'wrong' ? refused : rows
  const shown = isWhole ? chosen : chosen.slice(0, SHOWN_ROWS)
  return (
    <Stack gap="xs">
      {refused.length > 0 && (
        <SegmentedControl
          aria-label={t('Rows')}
          value={view}
          data={[
            { value: 'wrong', label: t('Wrong ({count})', { count: refused.length }) },
            { value: 'all', label: t('All ({count})', { count: rows.length }) },
          ]}
          onChange={setView}
          style={{ alignSelf: 'flex-start' }}
        />
      )}
      <Table verticalSpacing={6} horizontalSpacing="sm">
        <Table.Caption className="visually-hidden">{t('Rows of the file, as a spreadsheet counts them')}</Table.Caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('Row')}</Table.Th>
            <Table.Th>{t('Device')}</Table.Th>
            <Table.Th visibleFrom="sm">{t('Vehicle')}</Table.Th>
            <Table.Th visibleFrom="md">{t('Sub-client')}</Table.Th>
            <Table.Th>{t('Check')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map((row) => (
            <CheckedRowLine key={row.row.number} checked={row} />
          ))}
        </Table.Tbody>
      </Table>
      {shown.length < chosen.length && (
        <Button variant="default" size="sm" style={{ alignSelf: 'flex-start' }} onClick={() => setWhole(true)}>
          {t('Show all')}
        </Button>
      )}
    </Stack>
  )
}

function CheckedRowLine({ checked: { row, error } }: { checked: CheckedRow }) {
  const { name, imei, vehicle, subClientId } = row.device
  const column = columnOfField(error?.field ?? null)
  return (
    <Table.Tr className="top">
      <Table.Td className="numbers">{row.number}</Table.Td>
      <Table.Td className="breaking">
        {name ?? imei ?? <Missing />}
        {typeof name === 'string' && typeof imei === 'string' && (
          <Text size="xs" c="dimmed" className="numbers">
            {imei}
          </Text>
        )}
      </Table.Td>
      <Table.Td visibleFrom="sm" className="breaking">
        {vehicle?.licensePlate ?? vehicle?.vin ?? vehicle?.vehicleId ?? <Missing />}
      </Table.Td>
      <Table.Td visibleFrom="md" className="breaking">
        {subClientId === undefined || subClientId === null ? <Missing /> : <SubClientName subClientId={subClientId} />}
      </Table.Td>
      <Table.Td className="breaking">
        <StatusBadge look={error === null ? { color: 'green', Icon: CheckIcon } : { color: 'red', Icon: CrossIcon }} size="sm">
          {error === null ? t('Ready') : t('Wrong')}
        </StatusBadge>
        {error !== null && (
          <Text size="sm">
            {column !== undefined && !error.message.includes(`"${column}"`) && (
              <Text span className="code" fw={600}>
                {column}:{' '}
              </Text>
            )}
            {error.message}
          </Text>
        )}
      </Table.Td>
    </Table.Tr>
  )
}
