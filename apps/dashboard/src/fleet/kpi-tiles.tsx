import { Group, SimpleGrid, Text, UnstyledButton } from '@mantine/core'
import type { VehicleCounts } from '@roadworthy/contracts/platform-v1/fleet-map'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { conditions } from '../health/health-badge.tsx'
import { BellIcon, OfflineIcon } from '../shell/icons.tsx'
import { wholeNumber } from '../text/format.ts'
import { t } from '../text/translate.ts'
import type { FleetSearch } from './fleet-search.ts'

type Tile = {
  readonly chosen: Pick<FleetSearch, 'health' | 'presence'>
  readonly color: string
  readonly Icon: (props: { size?: number }) => ReactNode
  readonly label: string
  readonly title: string
  readonly countOf: (counts: VehicleCounts) => number
}

const tiles = (): readonly Tile[] => [
  {
    ...conditions.critical,
    ...{ chosen: { health: 'critical' }, label: t('Critical'), title: t('Health below 40'), countOf: ({ health }) => health.critical },
  },
  {
    ...conditions.warning,
    ...{ chosen: { health: 'warning' }, label: t('Warning'), title: t('Health below 70'), countOf: ({ health }) => health.warning },
  },
  {
    ...conditions.healthy,
    ...{ chosen: { health: 'healthy' }, label: t('Healthy'), title: t('Health of 70 and more'), countOf: ({ health }) => health.healthy },
  },
  {
    ...{ color: 'gray', Icon: OfflineIcon, chosen: { presence: 'offline' }, label: t('Offline') },
    ...{ title: t('No message for five minutes'), countOf: ({ offline }) => offline },
  },
]

type KpiTilesProps = { counts: VehicleCounts | undefined; openIncidents: number | undefined; search: FleetSearch }

/** Each tile narrows the list and the map to what it counts; pressed again, it shows all. */
export function KpiTiles({ counts, openIncidents, search }: KpiTilesProps) {
  const navigate = useNavigate({ from: '/fleet' })
  return (
    <SimpleGrid cols={{ base: 3, sm: 5 }} spacing="xs" className="tiles">
      {tiles().map(({ chosen, color, Icon, label, title, countOf }) => {
        const isPressed = chosen.health === undefined ? chosen.presence === search.presence : chosen.health === search.health
        return (
          <UnstyledButton
            key={label}
            className="tile"
            data-color={color}
            title={title}
            aria-pressed={isPressed}
            onClick={() =>
              navigate({
                to: '/fleet',
                search: ({ health: _, presence: __, ...rest }: FleetSearch) => (isPressed ? rest : { ...rest, ...chosen }),
              })
            }
          >
            <TileFace count={counts && countOf(counts)} label={label} icon={<Icon size={22} />} />
          </UnstyledButton>
        )
      })}
      <Link to="/alerts" className="tile" data-color="primary">
        <TileFace count={openIncidents} label={t('Open incidents')} icon={<BellIcon size={22} />} />
      </Link>
    </SimpleGrid>
  )
}

function TileFace({ count, label, icon }: { count: number | undefined; label: string; icon: ReactNode }) {
  return (
    <Group gap="sm" wrap="nowrap">
      <span className="tile-icon">{icon}</span>
      <span>
        <Text component="span" display="block" fz={24} fw={700} lh={1.1} className="numbers">
          {count === undefined ? '–' : wholeNumber(count)}
        </Text>
        <Text component="span" display="block" size="sm" c="dimmed" lh={1.2} className="label">
          {label}
        </Text>
      </span>
    </Group>
  )
}
