import { Button, Checkbox, Group, NumberInput, Stack, Text, TextInput } from '@mantine/core'
import type { BillingCustomer, BillingSettings } from '@roadworthy/contracts/sim-billing/billing-configuration'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { priceListQuery, useChangeBillingCustomer } from '../api/billing-queries.ts'
import { changesOf } from '../shell/changes-of.ts'
import { DecimalField } from '../shell/decimal-field.tsx'
import { refusalElsewhere, refusalOf } from '../shell/field-refusal.ts'
import { Panel } from '../shell/panel.tsx'
import { Refusal } from '../shell/refusal.tsx'
import { wholeNumber } from '../text/format.ts'
import { typedDecimal } from '../text/number-marks.ts'
import { t } from '../text/translate.ts'
import { type CustomerEdits, customerBodyOf, customerEditsOf, withTax } from './customer-edits.ts'
import { CustomerPlans, customerPlanPaths } from './customer-plans.tsx'
import { PartyFields, partyPaths } from './party-fields.tsx'
import { meterNames } from './plan-words.ts'
import { PriceField } from './price-field.tsx'

const FIELDS = [
  'payment_terms_days',
  'margin_percent',
  'tax_ids',
  'buyer_reference',
  'subscription_fee',
  'plan_overrides',
  'meter_overrides',
]

export function CustomerForm({ customer, settings }: { customer: BillingCustomer; settings: BillingSettings }) {
  const change = useChangeBillingCustomer(customer.sub_client_id)
  const [typed, setTyped] = useState<Partial<CustomerEdits>>({})
  const stored = customerEditsOf(customer)
  const edits: CustomerEdits = { ...stored, ...typed }
  const edit = (changed: Partial<CustomerEdits>) => {
    change.reset()
    setTyped({ ...typed, ...changed })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const changes = changesOf(customerBodyOf(edits), customerBodyOf(stored))
    if (Object.keys(changes).length > 0) change.mutate(changes, { onSuccess: () => setTyped({}) })
  }
  const shown = [...FIELDS, ...partyPaths('party.'), ...customerPlanPaths(edits.plans)]
  return (
    <form onSubmit={submit} className="stacked" aria-label={t('How it is billed')}>
      <div className="halves">
        <Panel title={t('Who is billed')}>
          <Stack gap="sm">
            <Checkbox
              label={t('Is billed')}
              description={t('Off: no invoice is drafted for it.')}
              checked={edits.enabled}
              onChange={(event) => edit({ enabled: event.currentTarget.checked })}
            />
            <PartyFields path="party." party={edits.party} error={change.error} onChange={(party) => edit({ party })} />
          </Stack>
        </Panel>
        <div className="stacked">
          <Panel title={t('Terms')}>
            <TermFields edits={edits} settings={settings} error={change.error} onEdit={edit} />
          </Panel>
          <Panel title={t('Its own prices')}>
            <OwnPrices edits={edits} currency={settings.currency} error={change.error} onEdit={edit} />
          </Panel>
        </div>
      </div>
      <Refusal error={refusalElsewhere(change.error, shown)} />
      <Group justify="flex-end" gap="sm">
        {change.isSuccess && (
          <Text size="sm" c="dimmed" role="status">
            {t('Saved. It applies to drafts that are made from now on.')}
          </Text>
        )}
        <Button type="submit" loading={change.isPending}>
          {t('Save the terms')}
        </Button>
      </Group>
    </form>
  )
}

type FieldsProps = { edits: CustomerEdits; error: Error | null; onEdit: (changed: Partial<CustomerEdits>) => void }

function TermFields({ edits, settings, error, onEdit }: FieldsProps & { settings: BillingSettings }) {
  const taxIds = settings.taxes.map(({ tax_id: id }) => id)
  return (
    <Stack gap="sm">
      <NumberInput
        label={t('Days until an invoice is due')}
        description={t('Empty: as in the invoice data, {count}', { count: settings.payment_terms_days })}
        min={0}
        max={365}
        allowDecimal={false}
        hideControls
        value={edits.termsDays}
        error={refusalOf(error, 'payment_terms_days')}
        onChange={(termsDays) => onEdit({ termsDays })}
      />
      <DecimalField
        label={t('Margin in percent')}
        description={t('Empty: as in the invoice data, {count}', { count: typedDecimal(settings.default_margin_percent) })}
        value={edits.marginPercent}
        error={refusalOf(error, 'margin_percent')}
        onChange={(marginPercent) => onEdit({ marginPercent })}
      />
      <TextInput
        label={t('Its own reference')}
        description={t('As on a purchase order; it stands on its invoices')}
        maxLength={100}
        value={edits.buyerReference}
        error={refusalOf(error, 'buyer_reference')}
        onChange={(event) => onEdit({ buyerReference: event.currentTarget.value })}
      />
      {settings.taxes.length > 0 && (
        <Checkbox.Group
          label={t('Taxes it bears')}
          value={edits.taxIds === null ? taxIds : [...edits.taxIds]}
          error={refusalOf(error, 'tax_ids')}
        >
          <Stack gap={6} mt={6}>
            {settings.taxes.map(({ tax_id: id, name, rate_percent: rate }) => (
              <Checkbox
                key={id}
                value={id}
                label={t('{name}, {rate} %', { name, rate })}
                onChange={(event) => onEdit({ taxIds: withTax(edits.taxIds, taxIds, id, event.currentTarget.checked) })}
              />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
      <Text size="xs" c="dimmed">
        {settings.hold_sims_after_days === null
          ? t('SIMs of who does not pay are not suspended. That is set for all sub-clients, in the invoice data.')
          : t(
              'SIMs of who does not pay are suspended {count, plural, one {# day} other {# days}} after the due date. That is set for all sub-clients, in the invoice data.',
              {
                count: settings.hold_sims_after_days,
              },
            )}
      </Text>
    </Stack>
  )
}

function OwnPrices({ edits, currency, error, onEdit }: FieldsProps & { currency: string }) {
  const list = useQuery(priceListQuery).data?.price_list ?? null
  const known = list?.meters ?? []
  return (
    <Stack gap="sm">
      <Text size="xs" c="dimmed">
        {t('Without margin. Empty: the price that everybody has.')}
      </Text>
      <PriceField
        label={t('Monthly fee')}
        unit={currency}
        isRequired={false}
        value={edits.subscriptionFee}
        error={refusalOf(error, 'subscription_fee')}
        onChange={(subscriptionFee) => onEdit({ subscriptionFee })}
      />
      {known.map(({ meter, per }) => (
        <PriceField
          key={meter}
          label={t('{meter}, for each {per}', { meter: meterNames[meter], per: wholeNumber(per) })}
          unit={currency}
          isRequired={false}
          value={edits.meters[meter] ?? ''}
          error={refusalOf(error, 'meter_overrides')}
          onChange={(own) => onEdit({ meters: { ...edits.meters, [meter]: own } })}
        />
      ))}
      <CustomerPlans plans={edits.plans} currency={currency} error={error} onChange={(plans) => onEdit({ plans })} />
    </Stack>
  )
}
