import { Group, SimpleGrid, Text, UnstyledButton } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { conditions } from '../health/health-badge.tsx'
import { BellIcon, OfflineIcon } from '../shell/icons.tsx'
import { sentenceCase } from '../text/format.ts'
import type { FleetFilter } from './choose-vehicles.ts'
import type { FleetSearch } from './fleet-search.ts'

const tiles: readonly { filter: FleetFilter; color: string; Icon: (props: { size?: number }) => ReactNode; title: string }[] = [
  { filter: 'critical', ...conditions.critical, title: 'Health below 40' },
  { filter: 'warning', ...conditions.warning, title: 'Health below 70' },
  { filter: 'healthy', ...conditions.healthy, title: 'Health of 70 and more' },
  { filter: 'offline', color: 'gray', Icon: OfflineIcon, title: 'Nothing heard for five minutes' },
]

type KpiTilesProps = { counts: Record<FleetFilter, number>; openIncidents: number | undefined; only: FleetFilter | undefined }

/** Each tile narrows the list and the map to what it counts; pressed again, it shows all. */
export function KpiTiles({ counts, openIncidents, only }: KpiTilesProps) {
  const navigate = useNavigate({ from: '/fleet' })
  return (
    <SimpleGrid cols={{ base: 2, xs: 3, sm: 5 }} spacing="xs">
      {tiles.map(({ filter, color, Icon, title }) => (
        <UnstyledButton
          key={filter}
          className="tile"
          data-color={color}
          title={title}
          aria-pressed={only === filter}
          onClick={() =>
            navigate({ to: '/fleet', search: ({ only: _, ...rest }: FleetSearch) => (only === filter ? rest : { ...rest, only: filter }) })
          }
        >
          <TileFace count={counts[filter]} label={sentenceCase(filter)} icon={<Icon size={22} />} />
        </UnstyledButton>
      ))}
      <Link to="/alerts" className="tile" data-color="primary">
        <TileFace count={openIncidents} label="Open incidents" icon={<BellIcon size={22} />} />
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
          {count ?? '–'}
        </Text>
        <Text component="span" display="block" size="sm" c="dimmed" lh={1.2}>
          {label}
        </Text>
      </span>
    </Group>
  )
}
