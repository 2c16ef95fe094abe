import { Alert, Button, Group, Stack, Table, TextInput } from '@mantine/core'
import type { RatePlan } from '@roadworthy/contracts/sim-billing/billing-configuration'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { billingSettingsQuery, ratePlanQuery, useArchiveRatePlan, useChangeRatePlan } from '../api/billing-queries.ts'
import { Confirmation } from '../shell/confirmation.tsx'
import { refusalElsewhere, refusalOf } from '../shell/field-refusal.ts'
import { NotLoaded } from '../shell/not-loaded.tsx'
import { showNotice } from '../shell/notice.ts'
import { PageHeading } from '../shell/page-heading.tsx'
import { Panel } from '../shell/panel.tsx'
import { Refusal } from '../shell/refusal.tsx'
import { monthName } from '../text/format.ts'
import { price } from '../text/money.ts'
import { t } from '../text/translate.ts'
import { useNow } from '../text/use-now.ts'
import { isMonth, MonthField } from './month-field.tsx'
import { hasPrices, PlanFields, planPriceFields } from './plan-fields.tsx'
import { planSummary, pricedVersions, thisMonth, versionOf } from './plan-words.ts'

const SHOWN = ['name', 'operator_plan', 'effective_from', ...planPriceFields]

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
        <PlanForm key={plan.version} plan={plan} currency={currency} />
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
  const held = versionOf(versions, thisMonth(useNow()))
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

function PlanForm({ plan, currency }: { plan: RatePlan; currency: string }) {
  const change = useChangeRatePlan(plan.plan_id, () => showNotice({ text: t('The new version is stored.') }))
  const [name, setName] = useState(plan.name)
  const [operatorPlan, setOperatorPlan] = useState(plan.operator_plan ?? '')
  const current = thisMonth(useNow())
  const [month, setMonth] = useState(plan.effective_from > current ? plan.effective_from : current)
  const [prices, setPrices] = useState(plan.prices)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const body = {
      name: name.trim(),
      operator_plan: operatorPlan.trim() === '' ? null : operatorPlan.trim(),
      effective_from: month,
      prices,
    }
    change.mutate(body)
  }
  return (
    <Panel title={t('Change it')}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            label={t('Name')}
            description={t('As on invoices')}
            required
            maxLength={200}
            value={name}
            error={refusalOf(change.error, 'name')}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <TextInput
            label={t('Name at the operator')}
            description={t('SIMs that are on that plan at the operator take this one by themselves.')}
            maxLength={200}
            value={operatorPlan}
            error={refusalOf(change.error, 'operator_plan')}
            onChange={(event) => setOperatorPlan(event.currentTarget.value)}
          />
          <PlanFields prices={prices} currency={currency} error={change.error} onChange={setPrices} />
          <MonthField month={month} error={change.error} onChange={setMonth} />
          <Refusal error={refusalElsewhere(change.error, SHOWN)} />
          <Group justify="flex-end">
            <Button
              type="submit"
              size="sm"
              loading={change.isPending}
              disabled={name.trim() === '' || !isMonth(month) || !hasPrices(prices)}
            >
              {t('Store the new version')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  )
}
