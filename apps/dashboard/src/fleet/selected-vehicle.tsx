import { Button, Card, CloseButton, Group, Text } from '@mantine/core'
import type { Vehicle } from '@roadworthy/contracts/platform-v1/vehicles'
import { Link } from '@tanstack/react-router'
import { conditionOf } from '../health/condition.ts'
import { HealthBadge, OfflineMark } from '../health/health-badge.tsx'
import { signalValue, timeAgo, vehicleKind, vehicleLabel } from '../text/format.ts'
import { useNow } from '../text/use-now.ts'

/** Over the map: the vehicle that was clicked, and the way to all of it. */
export function SelectedVehicle({ vehicle, onClose }: { vehicle: Vehicle; onClose: () => void }) {
  const nowMs = useNow()
  const { location, healthScore, openAlerts } = vehicle
  return (
    <Card withBorder shadow="md" padding="sm" className="selected-vehicle" role="region" aria-label="Selected vehicle">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div>
          <Text fw={700}>{vehicleLabel(vehicle)}</Text>
          <Text size="xs" c="dimmed">
            {[vehicleKind(vehicle), vehicle.subClientId].filter(Boolean).join(' · ')}
          </Text>
        </div>
        <CloseButton aria-label="Close" onClick={onClose} />
      </Group>
      <Group gap="xs" my={8}>
        <HealthBadge condition={conditionOf(vehicle)} />
        {healthScore !== null && <Text size="sm">{Math.round(healthScore)} of 100</Text>}
        {!vehicle.online && <OfflineMark />}
      </Group>
      <Text size="sm">
        {location === null
          ? 'No position yet'
          : location.speed === null
            ? 'Position known'
            : signalValue('vehicleSpeedKmh', location.speed)}
        {' · '}
        {timeAgo(location?.timestamp ?? vehicle.lastReadingAt, nowMs)}
        {openAlerts > 0 && ` · ${openAlerts} ${openAlerts === 1 ? 'alert' : 'alerts'}`}
      </Text>
      <Button
        size="xs"
        mt="sm"
        fullWidth
        renderRoot={(props) => <Link {...props} to="/vehicles/$vehicleId" params={{ vehicleId: vehicle.id }} />}
      >
        Open vehicle
      </Button>
    </Card>
  )
}
