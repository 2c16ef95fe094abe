import { Badge, Progress, Table, Text, UnstyledButton } from '@mantine/core'
import type { Vehicle } from '@roadworthy/contracts/platform-v1/vehicles'
import { Link, useNavigate } from '@tanstack/react-router'
import { conditionOf } from '../health/condition.ts'
import { conditions, HealthBadge, OfflineMark } from '../health/health-badge.tsx'
import { absoluteTime, timeAgo, vehicleKind, vehicleLabel } from '../text/format.ts'
import { useNow } from '../text/use-now.ts'
import type { FleetOrder } from './choose-vehicles.ts'
import type { FleetSearch } from './fleet-search.ts'

type VehicleListProps = {
  vehicles: readonly Vehicle[]
  selected: string | undefined
  order: FleetOrder
  isReversed: boolean
  onSelect: (vehicleId: string) => void
}

const columns: readonly { order: FleetOrder; label: string }[] = [
  { order: 'name', label: 'Vehicle' },
  { order: 'health', label: 'Health' },
  { order: 'alerts', label: 'Alerts' },
  { order: 'heard', label: 'Heard' },
]

/** Everything that the map shows, for those who cannot see or use a map. */
export function VehicleList({ vehicles, selected, order, isReversed, onSelect }: VehicleListProps) {
  const nowMs = useNow()
  return (
    <Table stickyHeader highlightOnHover verticalSpacing={6} horizontalSpacing="sm" className="vehicle-list">
      <Table.Caption className="visually-hidden">Vehicles, with their health</Table.Caption>
      <Table.Thead>
        <Table.Tr>
          {columns.map((column) => (
            <SortableHead key={column.order} {...column} isCurrent={column.order === order} isReversed={isReversed} />
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {vehicles.map((vehicle) => (
          <Row key={vehicle.id} vehicle={vehicle} nowMs={nowMs} isSelected={vehicle.id === selected} onSelect={onSelect} />
        ))}
      </Table.Tbody>
    </Table>
  )
}

function SortableHead({
  order,
  label,
  isCurrent,
  isReversed,
}: {
  order: FleetOrder
  label: string
  isCurrent: boolean
  isReversed: boolean
}) {
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

type RowProps = { vehicle: Vehicle; nowMs: number; isSelected: boolean; onSelect: (vehicleId: string) => void }

function Row({ vehicle, nowMs, isSelected, onSelect }: RowProps) {
  const condition = conditionOf(vehicle)
  return (
    <Table.Tr data-selected={isSelected || undefined} onClick={() => onSelect(vehicle.id)}>
      <Table.Td>
        <Link
          to="/vehicles/$vehicleId"
          params={{ vehicleId: vehicle.id }}
          className="vehicle-link"
          onClick={(event) => event.stopPropagation()}
        >
          {vehicleLabel(vehicle)}
        </Link>
        <Text size="xs" c="dimmed" truncate maw={150}>
          {vehicleKind(vehicle)}
        </Text>
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
        {vehicle.openAlerts > 0 ? (
          <Badge color="red" variant="light" size="md" circle aria-label={`${vehicle.openAlerts} alerts`}>
            {vehicle.openAlerts}
          </Badge>
        ) : (
          <Text size="sm" c="dimmed" ta="center" component="span" pl={8} aria-label="no alerts">
            –
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Text size="xs" c="dimmed" component="div" title={vehicle.lastReadingAt === null ? undefined : absoluteTime(vehicle.lastReadingAt)}>
          {!vehicle.online && <OfflineMark />}
          <span className="nowrap">{timeAgo(vehicle.lastReadingAt, nowMs)}</span>
        </Text>
      </Table.Td>
    </Table.Tr>
  )
}
