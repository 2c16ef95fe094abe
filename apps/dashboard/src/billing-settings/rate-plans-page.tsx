import { Badge, Button, Table, Text } from '@mantine/core'
import type { RatePlan } from '@roadworthy/contracts/sim-billing/billing-configuration'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { billingSettingsQuery, ratePlanQuery, ratePlansQuery } from '../api/billing-queries.ts'
import { Message } from '../shell/message.tsx'
import { NotLoaded } from '../shell/not-loaded.tsx'
import { PageHeading } from '../shell/page-heading.tsx'
import { monthName } from '../text/format.ts'
import { t, tRich } from '../text/translate.ts'
import { planSummary, versionOf } from './plan-words.ts'
import { PriceListPanel } from './price-list-panel.tsx'
import { useThisMonth } from './use-this-month.ts'

export function RatePlansPage() {
  const asked = useQuery(ratePlansQuery)
  const settings = useQuery(billingSettingsQuery)
  const currency = settings.data?.settings?.currency
  const isSetUp = currency !== undefined
  return (
    <>
      <PageHeading title={t('Rate plans and prices')} count={asked.data?.total}>
        {isSetUp && (
          <Button size="sm" renderRoot={(props) => <Link to="/settings/rate-plans/new" {...props} />}>
            {t('New rate plan')}
          </Button>
        )}
      </PageHeading>
      {settings.data === undefined && <NotLoaded asked={settings} what={t('invoice data')} />}
      {settings.data !== undefined && !isSetUp && <NotSetUp />}
      {isSetUp && (
        <>
          <div className="panel">
            {asked.data === undefined ? (
              <NotLoaded asked={asked} what={t('rate plans')} />
            ) : (
              <PlanTable plans={asked.data.rate_plans} currency={currency} />
            )}
          </div>
          <PriceListPanel currency={currency} />
        </>
      )}
    </>
  )
}

function NotSetUp() {
  return (
    <div className="panel">
      <Message title={t('Billing is not set up')}>
        {tRich('Prices have a currency: <a>enter your invoice data</a> first.', {
          a: (inner) => <Link to="/settings/billing">{inner}</Link>,
        })}
      </Message>
    </div>
  )
}

function PlanTable({ plans, currency }: { plans: readonly RatePlan[]; currency: string }) {
  if (plans.length === 0) {
    return (
      <Message title={t('There is no rate plan yet')}>
        {t('A rate plan says what a SIM costs: rental, included data, and what follows it. SIMs without one are billed nothing.')}
      </Message>
    )
  }
  return (
    <Table verticalSpacing={8} horizontalSpacing="sm">
      <Table.Caption className="visually-hidden">{t('Rate plans of SIMs')}</Table.Caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('Rate plan')}</Table.Th>
          <Table.Th visibleFrom="sm">{t('Prices')}</Table.Th>
          <Table.Th visibleFrom="md">{t('Name at the operator')}</Table.Th>
          <Table.Th visibleFrom="sm">{t('Since')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {plans.map((plan) => (
          <Table.Tr key={plan.plan_id}>
            <Table.Td className="breaking">
              <Link to="/settings/rate-plans/$planId" params={{ planId: plan.plan_id }} className="vehicle-link breaking">
                {plan.name}
              </Link>
              {plan.archived_at !== null && (
                <Badge size="sm" variant="outline" color="gray" tt="none" ml={6} className="badge">
                  {t('Archived')}
                </Badge>
              )}
              <Text size="xs" c="dimmed">
                {plan.plan_id}
              </Text>
              <Text size="xs" component="div" hiddenFrom="sm">
                <PlanPrices plan={plan} currency={currency} />
              </Text>
            </Table.Td>
            <Table.Td visibleFrom="sm">
              <PlanPrices plan={plan} currency={currency} />
            </Table.Td>
            <Table.Td visibleFrom="md" className="breaking">
              {plan.operator_plan ?? '–'}
            </Table.Td>
            <Table.Td visibleFrom="sm" className="nowrap">
              {monthName(plan.effective_from)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

/** The prices that hold, and those that will. The list has the newest version alone, so a plan that changes later is asked for what holds until then. */
function PlanPrices({ plan, currency }: { plan: RatePlan; currency: string }) {
  const month = useThisMonth()
  const isLater = plan.effective_from > month
  const versions = useQuery({ ...ratePlanQuery(plan.plan_id), enabled: isLater }).data?.versions ?? []
  if (!isLater) return planSummary(plan, currency)
  const held = versionOf(versions, month)
  return (
    <>
      {held !== undefined && (
        <div>
          {t('now')}: {planSummary(held, currency)}
        </div>
      )}
      <div>
        {t('from {month}', { month: monthName(plan.effective_from) })}: {planSummary(plan, currency)}
      </div>
    </>
  )
}
