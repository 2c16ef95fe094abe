import { Skeleton } from '@mantine/core'
import type { Overview } from '@roadworthy/contracts/platform-v1/overview'
import type { Session } from '@roadworthy/contracts/platform-v1/session'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { overviewQuery } from '../api/overview-queries.ts'
import { FirstStepsPanel } from '../first-run/first-steps-panel.tsx'
import { NoVehicles } from '../fleet/no-vehicles.tsx'
import { useSession } from '../session/use-session.ts'
import { NotLoaded } from '../shell/not-loaded.tsx'
import { PageHeading } from '../shell/page-heading.tsx'
import { t } from '../text/translate.ts'
import { useNow } from '../text/use-now.ts'
import { AtRiskPanel } from './at-risk-panel.tsx'
import { ChangesPanel } from './changes-panel.tsx'
import { FleetPanel } from './fleet-panel.tsx'
import type { ChangesSince } from './overview-search.ts'
import { ThroughputPanel } from './throughput-panel.tsx'
import { TodayPanel } from './today-panel.tsx'
import { useLastVisit } from './use-last-visit.ts'
import { WorkPanel } from './work-panel.tsx'

const DAY_MS = 86_400_000
const AGO_MS: Readonly<Record<ChangesSince, number>> = { day: DAY_MS, week: 7 * DAY_MS }
/** A time that moved with every second would be another question each time. */
const ROUNDED_TO_MS = 15 * 60_000

/** The first page: what needs somebody, how the fleet is, and what happened meanwhile. */
export function OverviewPage() {
  const session = useSession()
  return session === undefined ? null : <OverviewOf session={session} />
}

function OverviewOf({ session }: { session: Session }) {
  const { since } = useSearch({ from: '/' })
  const lastVisit = useLastVisit(session.userId)
  const nowMs = useNow()
  const chosen = since === undefined ? lastVisit : new Date(Math.floor(nowMs / ROUNDED_TO_MS) * ROUNDED_TO_MS - AGO_MS[since]).toISOString()
  const asked = useQuery(overviewQuery(chosen))
  return (
    <div className="page">
      <PageHeading title={t('Overview')} />
      {asked.data !== undefined ? (
        <Parts overview={asked.data} userId={session.userId} />
      ) : asked.isPending ? (
        <Loading />
      ) : (
        <NotLoaded asked={asked} what={t('overview')} />
      )}
    </div>
  )
}

function Parts({ overview, userId }: { overview: Overview; userId: string }) {
  const { vehicles, incidents, work, atRisk, throughput, changes, firstSteps } = overview
  if (vehicles.total === 0) {
    const empty = (
      <section className="panel padded">
        <NoVehicles />
      </section>
    )
    return firstSteps === null ? empty : <FirstStepsPanel steps={firstSteps} userId={userId} instead={empty} />
  }
  return (
    <>
      {firstSteps !== null && <FirstStepsPanel steps={firstSteps} userId={userId} />}
      <div className="overview">
        {incidents !== null && <TodayPanel incidents={incidents} />}
        <WorkPanel work={work} />
        <FleetPanel vehicles={vehicles} />
        {changes !== null && <ChangesPanel changes={changes} />}
        {atRisk !== null && <AtRiskPanel vehicles={atRisk} />}
        <ThroughputPanel throughput={throughput} />
      </div>
    </>
  )
}

function Loading() {
  return (
    <div className="overview" role="status" aria-label={t('Loading')}>
      {['today', 'work', 'fleet', 'changes'].map((part) => (
        <Skeleton key={part} height={180} radius="md" />
      ))}
    </div>
  )
}
