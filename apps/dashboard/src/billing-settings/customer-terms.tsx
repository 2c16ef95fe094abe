import { Title } from '@mantine/core'
import type { BillingCustomer, BillingSettings } from '@roadworthy/contracts/sim-billing/billing-configuration'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { billingCustomerQuery, billingSettingsQuery } from '../api/billing-queries.ts'
import { type Fact, Facts } from '../shell/facts.tsx'
import { Message } from '../shell/message.tsx'
import { NotLoaded } from '../shell/not-loaded.tsx'
import { Panel } from '../shell/panel.tsx'
import { days } from '../text/format.ts'
import { price } from '../text/money.ts'
import { t, tRich } from '../text/translate.ts'
import { CustomerForm } from './customer-form.tsx'
import { meterNames } from './plan-words.ts'

/** How a sub-client is billed: a form, or for who may not change it what is set. */
export function CustomerTerms({ subClientId, mayChange }: { subClientId: string; mayChange: boolean }) {
  const settings = useQuery(billingSettingsQuery)
  return (
    <section aria-label={t('Invoicing')} className="stacked">
      <Title order={2} size="h4">
        {t('Invoicing')}
      </Title>
      {settings.data === undefined && <NotLoaded asked={settings} what={t('invoice data')} />}
      {settings.data?.settings === null && <NotSetUp mayChange={mayChange} />}
      {settings.data?.settings != null && <Terms subClientId={subClientId} settings={settings.data.settings} mayChange={mayChange} />}
    </section>
  )
}

function NotSetUp({ mayChange }: { mayChange: boolean }) {
  return (
    <div className="panel">
      <Message title={t('Billing is not set up')}>
        {mayChange &&
          tRich('Nobody is billed yet: <a>enter your invoice data</a> first.', {
            a: (inner) => <Link to="/settings/billing">{inner}</Link>,
          })}
      </Message>
    </div>
  )
}

function Terms({ subClientId, settings, mayChange }: { subClientId: string; settings: BillingSettings; mayChange: boolean }) {
  const asked = useQuery(billingCustomerQuery(subClientId))
  if (asked.data === undefined) return <NotLoaded asked={asked} what={t('terms')} />
  const { customer } = asked.data
  if (!mayChange) return <ShownTerms customer={customer} settings={settings} />
  return <CustomerForm key={subClientId} customer={customer} settings={settings} />
}

function ShownTerms({ customer, settings }: { customer: BillingCustomer; settings: BillingSettings }) {
  const { party, tax_ids: taxIds } = customer
  const { currency } = settings
  const taxes = settings.taxes.filter(({ tax_id: id }) => taxIds === null || taxIds.includes(id)).map(({ name }) => name)
  const place = [party.postal_code, party.city].filter((part) => part != null && part !== '').join(' ')
  const facts: readonly Fact[] = [
    [t('Is billed'), customer.enabled ? t('yes') : t('no')],
    [t('Legal name'), party.name],
    [
      t('Address'),
      [...party.address_lines, place, party.region, party.country_code].filter((part) => part != null && part !== '').join(', '),
    ],
    [t('Tax number'), party.tax_number ?? undefined],
    [t('E-mail'), party.email ?? t('none')],
    [t('Days until an invoice is due'), days(customer.payment_terms_days ?? settings.payment_terms_days)],
    [t('Margin in percent'), customer.margin_percent ?? settings.default_margin_percent],
    [t('Taxes'), taxes.length === 0 ? t('none') : taxes.join(', ')],
    [t('Its own reference'), customer.buyer_reference ?? undefined],
    [t('Monthly fee'), customer.subscription_fee === null ? t('as in the price list') : price(customer.subscription_fee, currency)],
    ...customer.meter_overrides.map(({ meter, price: own }): Fact => [meterNames[meter], price(own, currency)]),
    ...customer.plan_overrides.map(
      ({ plan_id: planId, prices }): Fact => [
        t('Rate plan {plan}', { plan: planId }),
        Object.values(prices)
          .map((own) => price(own, currency))
          .join(', '),
      ],
    ),
  ]
  return (
    <Panel title={t('How it is billed')}>
      <Facts facts={facts} />
    </Panel>
  )
}
