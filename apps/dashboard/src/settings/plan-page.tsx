import { Stack, Table, Text } from '@mantine/core'
import type { Plan } from '@roadworthy/contracts/platform-v1/plan'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { planQuery } from '../api/plan-queries.ts'
import { CheckIcon, ClockIcon, WarningIcon } from '../shell/icons.tsx'
import { NotLoaded } from '../shell/not-loaded.tsx'
import { PageHeading } from '../shell/page-heading.tsx'
import { Panel } from '../shell/panel.tsx'
import { StatusBadge, type StatusLook } from '../shell/status-badge.tsx'
import { days, wholeNumber } from '../text/format.ts'
import { ShortTime } from '../text/short-time.tsx'
import { t, tRich } from '../text/translate.ts'
import { Quota } from './quota.tsx'
import { ReadingsRetention } from './readings-retention.tsx'

type Kept = Plan['kept'][number]['what']

const planNames: Readonly<Record<Plan['plan'], string>> = { starter: 'Starter', professional: 'Professional', enterprise: 'Enterprise' }

const standings: Readonly<Record<Plan['subscription'], readonly [look: StatusLook, word: string]>> = {
  trialing: [{ color: 'green', Icon: ClockIcon }, t('On trial')],
  active: [{ color: 'green', Icon: CheckIcon }, t('Active')],
  past_due: [{ color: 'red', Icon: WarningIcon }, t('Past due')],
  canceled: [{ color: 'red', Icon: WarningIcon }, t('Cancelled')],
}

const keptWords: Readonly<Record<Kept, string>> = {
  readings: t('Readings and the history of health, unless set otherwise'),
  events: t('Events'),
  webhook_deliveries: t('Deliveries of webhooks'),
  request_log: t('Request log'),
  notifications: t('Messages that were sent to people'),
  audit: t('Audit log'),
}

export function PlanPage() {
  const asked = useQuery(planQuery)
  if (asked.data === undefined) return <NotLoaded asked={asked} what={t('plan')} isPage />
  const plan = asked.data
  const [look, word] = standings[plan.subscription]
  return (
    <Stack gap="md">
      <PageHeading title={t('Plan and data')} />
      <div className="side-by-side">
        <Panel title={planNames[plan.plan]} actions={<StatusBadge look={look}>{word}</StatusBadge>}>
          <Stack gap="md">
            <Quota label={t('Platform API calls this month')} quota={plan.platformCalls} month={plan.month} />
            <Quota label={t('Predictions on demand this month')} quota={plan.predictions} month={plan.month} />
            <Text size="sm">{rateText(plan)}</Text>
            <Text size="sm" c="dimmed">
              {tRich('Quotas count by the month in UTC and begin anew on {until}. What is billed is under <usage>Usage</usage>.', {
                until: <ShortTime time={plan.month.until} />,
                usage: (inner) => <Link to="/usage">{inner}</Link>,
              })}
            </Text>
          </Stack>
        </Panel>
        <Panel title={t('What is kept, and for how long')}>
          <Table verticalSpacing={6}>
            <Table.Caption>
              {t('Older data is removed, some of it up to a week later. Whoever runs the service sets these times.')}
            </Table.Caption>
            <Table.Tbody>
              {plan.kept.map(({ what, days: count }) => (
                <Table.Tr key={what}>
                  <Table.Th scope="row">{keptWords[what]}</Table.Th>
                  <Table.Td className="numbers">{days(count)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Panel>
        <ReadingsRetention />
      </div>
    </Stack>
  )
}

function rateText({ keyPerMinute, keyPerDay }: Plan): string {
  if (keyPerMinute === null || keyPerDay === null) return t('Calls of a key are not limited, unless the key says so.')
  return t(
    'A key may make {minute} calls a minute and {day} a day on the External API and the SIM and billing API, unless the key says otherwise.',
    {
      minute: wholeNumber(keyPerMinute),
      day: wholeNumber(keyPerDay),
    },
  )
}
