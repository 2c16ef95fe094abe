import { SegmentedControl, Stack, Text } from '@mantine/core'
import type { UsageLimits } from '@roadworthy/contracts/platform-v1/usage'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { planQuery } from '../api/plan-queries.ts'
import { usageLimitsQuery } from '../api/usage-queries.ts'
import { useIsOfReseller } from '../session/use-session.ts'
import { Quota } from '../settings/quota.tsx'
import { LimitBar } from '../shell/limit-bar.tsx'
import { PagedPanel } from '../shell/paged-panel.tsx'
import { Panel } from '../shell/panel.tsx'
import { t } from '../text/translate.ts'
import type { UsageSearch } from './usage-search.ts'

type SubClientLimits = UsageLimits['subClients'][number]

/** Of the plan, as long as nobody looks at one sub-client. A person of a sub-client is refused there. */
export function PlanLimits() {
  const plan = useQuery(planQuery).data
  if (plan === undefined || (plan.platformCalls.limit === null && plan.predictions.limit === null)) return null
  return (
    <Panel title={t('Limits of the plan')}>
      <Stack gap="sm">
        <Quota label={t('Platform API calls this month')} quota={plan.platformCalls} month={plan.month} />
        <Quota label={t('Predictions on demand this month')} quota={plan.predictions} month={plan.month} />
      </Stack>
    </Panel>
  )
}

export function SubClientLimitsPanel({ search }: { search: UsageSearch }) {
  const isOfReseller = useIsOfReseller()
  const asked = useInfiniteQuery(usageLimitsQuery(search))
  const isOne = search.subClientId !== undefined || !isOfReseller
  return (
    <section aria-label={t('Limits of sub-clients')}>
      <PagedPanel asked={asked} what={t('limits')}>
        {(pages) => {
          const subClients = pages.flatMap((page) => page.subClients)
          return (
            <div className="padded">
              <div className="limits-head">
                <h2>{isOne ? t('Limits') : t('Limits of sub-clients')}</h2>
                {!isOne && <NearSwitch search={search} />}
              </div>
              <LimitList subClients={fullestFirst(subClients)} month={pages[0]?.month} search={search} isNamed={!isOne} />
            </div>
          )
        }}
      </PagedPanel>
    </section>
  )
}

function NearSwitch({ search }: { search: UsageSearch }) {
  const navigate = useNavigate({ from: '/usage' })
  const { limits: _limits, ...others } = search
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('Which limits')}
      value={search.limits ?? 'all'}
      onChange={(value) => void navigate({ search: value === 'near' ? { ...others, limits: 'near' } : others, replace: true })}
      data={[
        { value: 'all', label: t('All') },
        { value: 'near', label: t('Near or used up') },
      ]}
    />
  )
}

type LimitListProps = {
  subClients: readonly SubClientLimits[]
  month: UsageLimits['month'] | undefined
  search: UsageSearch
  isNamed: boolean
}

function LimitList({ subClients, month, search, isNamed }: LimitListProps) {
  if (subClients.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {search.limits === 'near' ? t('Nobody is near a limit.') : isNamed ? t('No sub-client has a limit.') : t('There is no limit.')}
      </Text>
    )
  }
  return (
    <>
      <ul className="limit-list">
        {subClients.map((each) => (
          <li key={each.id}>
            {isNamed && (
              <Link to="/sub-clients/$subClientId" params={{ subClientId: each.id }} className="vehicle-link breaking">
                {each.name}
              </Link>
            )}
            <LimitsOfSubClient limits={each} month={month} />
          </li>
        ))}
      </ul>
      <Text size="xs" c="dimmed" mt="xs">
        {t('Limits count by the month in UTC; devices as they are now.')}
      </Text>
    </>
  )
}

const kinds = [
  ['devices', t('Devices')],
  ['readings', t('Readings')],
  ['predictions', t('Predictions on demand')],
] as const

export function LimitsOfSubClient({ limits, month }: { limits: SubClientLimits; month: UsageLimits['month'] | undefined }) {
  return (
    <div className="limit-bars">
      {kinds.map(([kind, label]) => {
        const { limit, used } = limits[kind]
        const span = kind === 'devices' || month === undefined ? {} : { span: month }
        return limit === null ? null : <LimitBar key={kind} label={label} used={used} limit={limit} {...span} />
      })}
    </div>
  )
}

/** Of those that are loaded. */
function fullestFirst(subClients: readonly SubClientLimits[]): readonly SubClientLimits[] {
  return subClients.toSorted((a, b) => b.usedPercent - a.usedPercent)
}
