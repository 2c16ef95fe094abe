import { Alert, List, Text } from '@mantine/core'
import type { BillingSettings, BillingSettingsAnswer } from '@roadworthy/contracts/sim-billing/billing-configuration'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Static } from 'typebox'
import { billingSettingsQuery } from '../api/billing-queries.ts'
import { Facts } from '../shell/facts.tsx'
import { WarningIcon } from '../shell/icons.tsx'
import { NotLoaded } from '../shell/not-loaded.tsx'
import { PageHeading } from '../shell/page-heading.tsx'
import { Panel } from '../shell/panel.tsx'
import { monthName } from '../text/format.ts'
import { TimeAgo } from '../text/time-ago.tsx'
import { t } from '../text/translate.ts'
import { BillingForm } from './billing-form.tsx'

type LastMonth = Static<typeof BillingSettingsAnswer>['last_month']

export function BillingPage() {
  const asked = useQuery(billingSettingsQuery)
  return (
    <>
      <PageHeading title={t('Invoice data')} />
      {asked.data === undefined ? (
        <NotLoaded asked={asked} what={t('invoice data')} />
      ) : (
        <>
          {asked.data.settings === null && (
            <Alert>
              {t('Billing is not set up. With who issues and a currency it begins: this month is the first that invoices are drafted of.')}
            </Alert>
          )}
          <Failures lastMonth={asked.data.last_month} />
          {asked.data.settings !== null && <Standing settings={asked.data.settings} lastMonth={asked.data.last_month} />}
          <BillingForm settings={asked.data.settings} />
        </>
      )}
    </>
  )
}

function Failures({ lastMonth }: { lastMonth: LastMonth }) {
  if (lastMonth === null || lastMonth.failures.length === 0) return null
  return (
    <Alert
      color="orange"
      icon={<WarningIcon />}
      title={t('Not everybody could be billed for {month}', { month: monthName(lastMonth.period) })}
    >
      <List size="sm">
        {lastMonth.failures.map(({ sub_client_id: id, message }) => (
          <List.Item key={id}>
            <Link to="/sub-clients/$subClientId" params={{ subClientId: id }}>
              {id}
            </Link>
            : {message}
          </List.Item>
        ))}
      </List>
      <Text size="sm" mt="xs">
        {t('Correct it, and draft the month again: {command}', { command: `npx roadworthy invoices draft --month ${lastMonth.period}` })}
      </Text>
    </Alert>
  )
}

function Standing({ settings, lastMonth }: { settings: BillingSettings; lastMonth: LastMonth }) {
  const { time_zone: zone, next_number: next, number_prefix: prefix, created_at: createdAt } = settings
  return (
    <Panel title={t('How it stands')}>
      <Facts
        facts={[
          [t('Months begin in'), `${zone} (${t('set by the operator of this service')})`],
          [t('Next number'), `${prefix}${String(next).padStart(6, '0')}`],
          [t('Newest month that was drafted'), lastMonth === null ? t('not one yet') : monthName(lastMonth.period)],
          [t('Set up'), <TimeAgo key="created" time={createdAt} />],
        ]}
      />
    </Panel>
  )
}
