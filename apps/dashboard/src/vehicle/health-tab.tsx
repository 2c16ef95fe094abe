import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { healthQuery, predictionsQuery } from '../api/queries.ts'
import { VehicleIncidents } from '../incidents/vehicle-incidents.tsx'
import { Message } from '../shell/message.tsx'
import { Panel } from '../shell/panel.tsx'
import { BlockPlaceholder } from '../shell/placeholder.tsx'
import { t } from '../text/translate.ts'
import { ComponentList } from './component-list.tsx'
import { HealthPanel } from './health-panel.tsx'
import { ReasonsPanel } from './reasons-panel.tsx'

const HealthHistoryPanel = lazy(() => import('./health-history.tsx').then((module) => ({ default: module.HealthHistoryPanel })))

export function HealthTab({ vehicleId }: { vehicleId: string }) {
  const health = useQuery(healthQuery(vehicleId))
  const predictions = useQuery(predictionsQuery(vehicleId)).data?.predictions ?? []
  if (health.data === undefined) {
    return health.isPending ? <BlockPlaceholder height={300} /> : <Message title={t('No health yet')}>{health.error.message}</Message>
  }
  return (
    <>
      <div className="condition">
        <HealthPanel health={health.data} />
        <Panel title={t('Parts')} className="parts">
          <ComponentList health={health.data} predictions={predictions} />
        </Panel>
        <ReasonsPanel health={health.data} />
        <VehicleIncidents vehicleId={vehicleId} />
      </div>
      <Suspense fallback={<BlockPlaceholder height={220} />}>
        <HealthHistoryPanel vehicleId={vehicleId} />
      </Suspense>
    </>
  )
}
