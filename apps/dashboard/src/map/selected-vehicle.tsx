import { Button, Card, CloseButton, CopyButton, Group, Text } from '@mantine/core'
import type { Vehicle } from '@roadworthy/contracts/platform-v1/vehicles'
import { Link } from '@tanstack/react-router'
import { conditionOf } from '../health/condition.ts'
import { HealthBadge, OfflineMark } from '../health/health-badge.tsx'
import { Facts } from '../shell/facts.tsx'
import { vehicleKind, vehicleLabel } from '../text/format.ts'
import { signalValue } from '../text/signal-value.ts'
import { TimeAgo } from '../text/time-ago.tsx'
import { t } from '../text/translate.ts'

/** About a metre, which is finer than any receiver in a vehicle. */
const COORDINATE_DECIMALS = 5

type SelectedVehicleProps = { vehicle: Vehicle; isFollowed: boolean; onFollow: (isFollowed: boolean) => void; onClose: () => void }

/** Over the map: the vehicle that was clicked, and the way to all of it. */
export function SelectedVehicle({ vehicle, isFollowed, onFollow, onClose }: SelectedVehicleProps) {
  const { location, healthScore, openAlerts } = vehicle
  const params = { vehicleId: vehicle.id }
  return (
    <Card withBorder shadow="md" padding="sm" className="selected-vehicle" role="region" aria-label={t('Selected vehicle')}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div>
          <Text fw={700}>{vehicleLabel(vehicle)}</Text>
          <Text size="xs" c="dimmed">
            {[vehicleKind(vehicle), vehicle.subClientId].filter(Boolean).join(' · ')}
          </Text>
        </div>
        <CloseButton aria-label={t('Close')} onClick={onClose} />
      </Group>
      <Group gap="xs" mt={8} mb={4}>
        <HealthBadge condition={conditionOf(vehicle)} />
        {healthScore !== null && <Text size="sm">{t('{score} of 100', { score: Math.round(healthScore) })}</Text>}
        {!vehicle.online && <OfflineMark />}
      </Group>
      <Facts facts={factsOf(vehicle)} />
      {openAlerts > 0 && (
        <Text size="sm" mt={4}>
          {t('{count, plural, one {# alert} other {# alerts}} not resolved', { count: openAlerts })}
        </Text>
      )}
      <Button size="xs" mt="sm" fullWidth renderRoot={(props) => <Link {...props} to="/vehicles/$vehicleId" params={params} />}>
        {t('Open vehicle')}
      </Button>
      {location !== null && (
        <Group gap={6} mt={6} grow preventGrowOverflow={false}>
          <Button
            size="compact-xs"
            variant="default"
            renderRoot={(props) => <Link {...props} to="/vehicles/$vehicleId/track" params={params} />}
          >
            {t('Replay')}
          </Button>
          <Button
            size="compact-xs"
            variant={isFollowed ? 'filled' : 'default'}
            aria-pressed={isFollowed}
            onClick={() => onFollow(!isFollowed)}
          >
            {t('Follow')}
          </Button>
          <CopyButton value={coordinatesOf(location)}>
            {({ copied, copy }) => (
              <Button size="compact-xs" variant="default" onClick={copy} title={coordinatesOf(location)}>
                {copied ? t('Copied') : t('Copy position')}
              </Button>
            )}
          </CopyButton>
        </Group>
      )}
    </Card>
  )
}

function factsOf({ location, lastReadingAt }: Vehicle) {
  const { speed = null, ignition = null, batteryVoltage = null } = location ?? {}
  return [
    ...(location === null ? [[t('Position'), t('none yet')] as const] : []),
    ...(speed === null ? [] : [[t('Speed'), signalValue('vehicleSpeedKmh', speed)] as const]),
    ...(ignition === null ? [] : [[t('Ignition'), ignition ? t('on') : t('off')] as const]),
    ...(batteryVoltage === null ? [] : [[t('Battery'), signalValue('batteryVoltageV', batteryVoltage)] as const]),
    [t('Last seen'), <TimeAgo key="time" time={location?.timestamp ?? lastReadingAt} />] as const,
  ]
}

/** As maps and people take them. */
function coordinatesOf({ latitude, longitude }: NonNullable<Vehicle['location']>): string {
  return `${latitude.toFixed(COORDINATE_DECIMALS)}, ${longitude.toFixed(COORDINATE_DECIMALS)}`
}
