import { Badge, Progress, Table, Text, UnstyledButton } from '@mantine/core'
import type { Vehicle } from '@roadworthy/contracts/platform-v1/vehicles'
import { Link, useNavigate } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, type RefObject, useEffect, useMemo } from 'react'
import { conditionOf } from '../health/condition.ts'
import { conditions, HealthBadge, OfflineMark } from '../health/health-badge.tsx'
import { useLiveVehicle, useShown } from '../live/use-live.ts'
import { MoreButton, type MoreButtonProps } from '../shell/more-button.tsx'
import { vehicleKind, vehicleLabel } from '../text/format.ts'
import { TimeAgo } from '../text/time-ago.tsx'
import { t } from '../text/translate.ts'
import type { FleetOrder, FleetSearch } from './fleet-search.ts'

export type LoadedVehicles = {
  readonly vehicles: readonly Vehicle[]
  /** Also those that are not loaded yet. */
  readonly total: number
  readonly fetchedAtMs: number
  readonly more: MoreButtonProps['asked']
  /** Loads the next page, unless it is on its way or was refused. */
  readonly loadMore: () => void
}

type VehicleListProps = LoadedVehicles & {
  /** What scrolls. */
  scroller: RefObject<HTMLDivElement | null>
  selected: string | undefined
  order: FleetOrder
  isReversed: boolean
  onSelect: (vehicleId: string) => void
}

const ROW_HEIGHT = 58
/** Rows beyond the edge that are drawn, and how soon before the end the next page is loaded. */
const OVERSCAN = 8
const LOAD_AHEAD = 30
/** The stream is asked anew for each block of rows, and not for each row that comes into view. */
const BLOCK = 50

/** Everything that the map shows, for those who cannot see or use a map. Only the rows in view are drawn. */
export function VehicleList({ scroller, selected, order, isReversed, onSelect, ...loaded }: VehicleListProps) {
  const { vehicles, total, fetchedAtMs, more, loadMore } = loaded
  const hasMore = more.hasNextPage
  const rows = useVirtualizer({
    count: vehicles.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    getItemKey: (index) => vehicles[index]?.id ?? index,
  })
  const items = rows.getVirtualItems()
  const first = items[0]?.index ?? 0
  const last = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (hasMore && last >= vehicles.length - LOAD_AHEAD) loadMore()
  }, [hasMore, last, vehicles.length, loadMore])
  useShownRows(vehicles, first, last)
  const above = items[0]?.start ?? 0
  const below = rows.getTotalSize() - (items.at(-1)?.end ?? 0)
  return (
    <Table stickyHeader verticalSpacing={6} horizontalSpacing="sm" className="vehicle-list" aria-rowcount={total + 1}>
      <Table.Caption className="visually-hidden">{t('Vehicles, with their health')}</Table.Caption>
      <Table.Thead>
        <Table.Tr aria-rowindex={1}>
          {columns().map((column) => (
            <SortableHead key={column.order} {...column} isCurrent={column.order === order} isReversed={isReversed} />
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        <Gap height={above} />
        {items.map(({ index, key }) => {
          const vehicle = vehicles[index]
          if (vehicle === undefined) return null
          const isSelected = vehicle.id === selected
          return <Row key={key} index={index} vehicle={vehicle} fetchedAtMs={fetchedAtMs} isSelected={isSelected} onSelect={onSelect} />
        })}
        <Gap height={below} />
        {hasMore && (
          <tr>
            <td colSpan={4}>
              <MoreButton asked={more} />
            </td>
          </tr>
        )}
      </Table.Tbody>
    </Table>
  )
}

/** In place of the rows that are not drawn. */
function Gap({ height }: { height: number }) {
  if (height === 0) return null
  return (
    <tr>
      <td colSpan={4} style={{ height, padding: 0 }} />
    </tr>
  )
}

function useShownRows(vehicles: readonly Vehicle[], first: number, last: number): void {
  const from = Math.floor(first / BLOCK) * BLOCK
  const to = Math.ceil((last + 1) / BLOCK) * BLOCK
  const ids = vehicles
    .slice(from, to)
    .map(({ id }) => id)
    .join()
  useShown(useMemo(() => ({ vehicleIds: ids === '' ? [] : ids.split(',') }), [ids]))
}

const columns = (): readonly { order: FleetOrder; label: string }[] => [
  { order: 'name', label: t('Vehicle') },
  { order: 'health', label: t('Health') },
  { order: 'alerts', label: t('Alerts') },
  { order: 'heard', label: t('Seen') },
]

type SortableHeadProps = { order: FleetOrder; label: string; isCurrent: boolean; isReversed: boolean }

function SortableHead({ order, label, isCurrent, isReversed }: SortableHeadProps) {
  const navigate = useNavigate({ from: '/fleet' })
  const willReverse = isCurrent && !isReversed
  return (
    <Table.Th aria-sort={isCurrent ? (isReversed ? 'descending' : 'ascending') : 'none'}>
      <UnstyledButton
        fz="xs"
        fw={600}
        className="sort"
        onClick={() =>
          navigate({
            to: '/fleet',
            search: ({ reversed: _, ...rest }: FleetSearch) => ({ ...rest, order, ...(willReverse ? { reversed: true as const } : {}) }),
          })
        }
      >
        {label}
        <span aria-hidden="true">{isCurrent ? (isReversed ? ' ▴' : ' ▾') : ''}</span>
      </UnstyledButton>
    </Table.Th>
  )
}

type RowProps = { index: number; vehicle: Vehicle; fetchedAtMs: number; isSelected: boolean; onSelect: (vehicleId: string) => void }

const Row = memo(function Row({ index, vehicle: fetched, fetchedAtMs, isSelected, onSelect }: RowProps) {
  const vehicle = useLiveVehicle(fetched, fetchedAtMs)
  const condition = conditionOf(vehicle)
  return (
    <Table.Tr aria-rowindex={index + 2} h={ROW_HEIGHT} data-selected={isSelected || undefined} onClick={() => onSelect(vehicle.id)}>
      <Table.Td>
        <Link
          to="/vehicles/$vehicleId"
          params={{ vehicleId: vehicle.id }}
          className="vehicle-link"
          title={vehicleLabel(vehicle)}
          onClick={(event) => event.stopPropagation()}
        >
          {vehicleLabel(vehicle)}
        </Link>
        <Text size="xs" c="dimmed" truncate maw={150} className="vehicle-kind">
          {vehicleKind(vehicle)}
        </Text>
        <Seen vehicle={vehicle} className="seen-below" />
      </Table.Td>
      <Table.Td>
        <HealthBadge condition={condition} size="sm" />
        {vehicle.healthScore !== null && (
          <div className="score">
            <Progress value={vehicle.healthScore} size={5} color={conditions[condition].color} aria-hidden="true" flex={1} />
            <span className="numbers">{Math.round(vehicle.healthScore)}</span>
          </div>
        )}
      </Table.Td>
      <Table.Td>
        <AlertCount count={vehicle.openAlerts} />
      </Table.Td>
      <Table.Td>
        <Seen vehicle={vehicle} />
      </Table.Td>
    </Table.Tr>
  )
})

function Seen({ vehicle, className = '' }: { vehicle: Vehicle; className?: string }) {
  return (
    <Text size="xs" c="dimmed" component="div" className={className}>
      {!vehicle.online && <OfflineMark />}
      <span className="nowrap">
        <TimeAgo time={vehicle.lastReadingAt} />
      </span>
    </Text>
  )
}

function AlertCount({ count }: { count: number }) {
  if (count === 0) {
    return (
      <Text size="sm" c="dimmed" ta="center" component="span" pl={8} aria-label={t('no alerts')}>
        –
      </Text>
    )
  }
  return (
    <Badge color="red" variant="light" size="md" circle aria-label={t('{count, plural, one {# alert} other {# alerts}}', { count })}>
      {count}
    </Badge>
  )
}
