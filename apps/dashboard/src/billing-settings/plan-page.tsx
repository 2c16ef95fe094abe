import { Alert, Button, Table } from '@mantine/core'
import type { RatePlan } from '@roadworthy/contracts/sim-billing/billing-configuration'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { billingSettingsQuery, ratePlanQuery, useArchiveRatePlan } from '../api/billing-queries.ts'
import { Confirmation } from '../shell/confirmation.tsx'
import { NotLoaded } from '../shell/not-loaded.tsx'
import { PageHeading } from '../shell/page-heading.tsx'
import { Panel } from '../shell/panel.tsx'
import { monthName } from '../text/format.ts'
import { price } from '../text/money.ts'
import { t } from '../text/translate.ts'
import { PlanForm } from './plan-form.tsx'
import { planSummary, pricedVersions, versionOf } from './plan-words.ts'
import { useThisMonth } from './use-this-month.ts'

export function PlanPage() {
  const { planId } = useParams({ from: '/settings/rate-plans/$planId' })
  const asked = useQuery(ratePlanQuery(planId))
  const currency = useQuery(billingSettingsQuery).data?.settings?.currency
  if (asked.data === undefined || currency === undefined) return <NotLoaded asked={asked} what={t('rate plan')} />
  const { rate_plan: plan, versions } = asked.data
  return (
    <>
      <PageHeading title={plan.name}>{plan.archived_at === null && <Archive plan={plan} />}</PageHeading>
      {plan.archived_at !== null && (
        <Alert color="gray">
          {t('It is archived: no further SIM gets it, and those that have it are billed by it. A change brings it back.')}
        </Alert>
      )}
      <div className="side-by-side">
        <Versions versions={versions} currency={currency} />
        <PlanForm key={plan.plan_id} plan={plan} currency={currency} />
      </div>
    </>
  )
}

function Archive({ plan: { plan_id: id, name } }: { plan: RatePlan }) {
  const archive = useArchiveRatePlan(id)
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  return (
    <>
      <Button size="sm" variant="default" onClick={() => setIsOpen(true)}>
        {t('Archive')}
      </Button>
      {isOpen && (
        <Confirmation
          title={t('Archive {name}', { name })}
          text={t('No further SIM gets this plan. Those that have it keep it, and are billed by it.')}
          label={t('Archive')}
          change={archive}
          onConfirm={() => archive.mutate(undefined, { onSuccess: close })}
          onClose={close}
        />
      )}
    </>
  )
}

/** Newest first, with the one that holds this month marked. */
function Versions({ versions, currency }: { versions: readonly RatePlan[]; currency: string }) {
  const held = versionOf(versions, useThisMonth())
  return (
    <Panel title={t('Versions')}>
      <Table verticalSpacing={6}>
        <Table.Caption className="visually-hidden">{t('Versions of the rate plan, newest first')}</Table.Caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('From')}</Table.Th>
            <Table.Th>{t('Prices')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {pricedVersions(versions)
            .toReversed()
            .map((version) => (
              <VersionRow key={version.version} version={version} isHeld={version === held} currency={currency} />
            ))}
        </Table.Tbody>
      </Table>
    </Panel>
  )
}

function VersionRow({ version, isHeld, currency }: { version: RatePlan; isHeld: boolean; currency: string }) {
  return (
    <Table.Tr>
      <Table.Td className="top">
        {monthName(version.effective_from)}
        {isHeld && <strong className="version-held">{t('valid now')}</strong>}
      </Table.Td>
      <Table.Td>
        {planSummary(version, currency)}
        <div className="version-more">{moreOf(version, currency)}</div>
      </Table.Td>
    </Table.Tr>
  )
}

function moreOf({ prices }: RatePlan, currency: string): string {
  return [
    t('activation {price}', { price: price(prices.activation_fee, currency) }),
    t('custody {price} a month', { price: price(prices.custody_fee, currency) }),
    prices.prorated ? t('by days') : t('whole months'),
    ...(prices.pooled ? [t('shared data')] : []),
  ].join(' · ')
}
