import { Button, Group, List, Stack, Text } from '@mantine/core'
import type { PriceList, PriceListUpdate } from '@roadworthy/contracts/sim-billing/billing-configuration'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { priceListQuery, useChangePriceList } from '../api/billing-queries.ts'
import { CountField } from '../shell/count-field.tsx'
import { refusalElsewhere, refusalOf } from '../shell/field-refusal.ts'
import { NotLoaded } from '../shell/not-loaded.tsx'
import { showNotice } from '../shell/notice.ts'
import { Panel } from '../shell/panel.tsx'
import { Refusal } from '../shell/refusal.tsx'
import { monthName } from '../text/format.ts'
import { price } from '../text/money.ts'
import { numberMarks } from '../text/number-marks.ts'
import { t } from '../text/translate.ts'
import { isMonth, MonthField } from './month-field.tsx'
import { meterNames, meterSummary, versionUnder } from './plan-words.ts'
import { PriceField } from './price-field.tsx'
import { useThisMonth } from './use-this-month.ts'

type MeterPrice = PriceList['meters'][number]
type MeterName = MeterPrice['meter']
/** Without a price a meter is free, and not sent. */
type Row = Omit<MeterPrice, 'meter'>

const meters = Object.keys(meterNames) as MeterName[]

/** What sub-clients pay for use of the platform itself. */
export function PriceListPanel({ currency }: { currency: string }) {
  const asked = useQuery(priceListQuery)
  return (
    <Panel title={t('Prices of the platform')}>
      {asked.data === undefined ? (
        <NotLoaded asked={asked} what={t('prices')} />
      ) : (
        <div className="halves">
          <Versions versions={asked.data.versions} currency={currency} />
          <PriceListForm list={asked.data.price_list} currency={currency} />
        </div>
      )}
    </Panel>
  )
}

function Versions({ versions, currency }: { versions: readonly PriceList[]; currency: string }) {
  if (versions.length === 0) return <Text size="sm">{t('Use of the platform is not billed. SIMs are, by their rate plans.')}</Text>
  return (
    <Stack gap="md">
      {versions.toReversed().map(({ version, effective_from: from, subscription_fee: fee, meters: priced }) => (
        <div key={version}>
          <Text size="sm" fw={650}>
            {t('From {month} on', { month: monthName(from) })}
          </Text>
          <List size="sm">
            <List.Item>{fee === null ? t('No monthly fee') : t('{price} a month', { price: price(fee, currency) })}</List.Item>
            {priced.map((each) => (
              <List.Item key={each.meter}>
                {meterNames[each.meter]}: {meterSummary(each, currency)}
              </List.Item>
            ))}
          </List>
        </div>
      ))}
    </Stack>
  )
}

/** As typed; what was not touched is left out. */
type Typed = { fee?: string; rows?: Partial<Record<MeterName, Partial<Row>>>; month?: string }

function PriceListForm({ list, currency }: { list: PriceList | null; currency: string }) {
  const change = useChangePriceList()
  const current = useThisMonth()
  const [typed, setTyped] = useState<Typed>({})
  const edit = (changed: Typed) => {
    change.reset()
    setTyped({ ...typed, ...changed })
  }
  const month = typed.month ?? (list !== null && list.effective_from > current ? list.effective_from : current)
  const { fee, rows } = pricesOver(list, typed)
  const priced = pricedOf(rows)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate((versions) => ({ effective_from: month, ...bodyOf(pricesOver(versionUnder(list, versions, month), typed)) }), {
      onSuccess: () => {
        setTyped({})
        showNotice({ text: t('The new prices are stored.') })
      },
    })
  }
  const shown = ['subscription_fee', 'effective_from', ...priced.map((_, i) => `meters.${i}.price`)]
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <PriceField
          label={t('Monthly fee')}
          description={t('Whatever was used; empty: none')}
          unit={currency}
          isRequired={false}
          value={fee}
          error={refusalOf(change.error, 'subscription_fee')}
          onChange={(changed) => edit({ fee: changed })}
        />
        {meters.map((meter) => (
          <MeterFields
            key={meter}
            meter={meter}
            row={rows[meter]}
            currency={currency}
            error={refusalOf(change.error, `meters.${priced.indexOf(meter)}.price`)}
            onChange={(row) => edit({ rows: { ...typed.rows, [meter]: { ...typed.rows?.[meter], ...row } } })}
          />
        ))}
        <MonthField month={month} error={change.error} onChange={(changed) => edit({ month: changed })} />
        <Refusal error={refusalElsewhere(change.error, shown)} />
        <Group justify="flex-end">
          <Button type="submit" size="sm" loading={change.isPending} disabled={!isMonth(month)}>
            {t('Store the new prices')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

type MeterFieldsProps = { meter: MeterName; row: Row; currency: string; error: string | undefined; onChange: (row: Partial<Row>) => void }

function MeterFields({ meter, row: { price: amount, per, included }, currency, error, onChange }: MeterFieldsProps) {
  const isPriced = amount.trim() !== ''
  return (
    <fieldset className="meter-prices">
      <legend>{meterNames[meter]}</legend>
      <PriceField
        label={t('Price')}
        description={t('Empty: free')}
        isDescriptionBelow
        unit={currency}
        isRequired={false}
        value={amount}
        error={error}
        onChange={(value) => onChange({ price: value })}
      />
      <CountField
        label={t('For so many')}
        min={1}
        hideControls
        {...numberMarks}
        required={isPriced}
        value={per}
        onChange={(count) => onChange({ per: count })}
      />
      <CountField
        label={t('Free in a month')}
        min={0}
        hideControls
        {...numberMarks}
        required={isPriced}
        value={included}
        onChange={(count) => onChange({ included: count })}
      />
    </fieldset>
  )
}

type Prices = { readonly fee: string; readonly rows: Readonly<Record<MeterName, Row>> }

/** What was typed, put over a version. */
function pricesOver(list: PriceList | null, { fee, rows: typedRows = {} }: Typed): Prices {
  const stored = rowsOf(list)
  const rows = meters.map((meter) => [meter, { ...stored[meter], ...typedRows[meter] }] as const)
  return { fee: fee ?? list?.subscription_fee ?? '', rows: Object.fromEntries(rows) as Record<MeterName, Row> }
}

function pricedOf(rows: Prices['rows']): MeterName[] {
  return meters.filter((meter) => rows[meter].price.trim() !== '')
}

function bodyOf({ fee, rows }: Prices): Omit<PriceListUpdate, 'effective_from'> {
  return {
    subscription_fee: fee.trim() === '' ? null : fee.trim(),
    meters: pricedOf(rows).map((meter) => ({ meter, ...rows[meter], price: rows[meter].price.trim() })),
  }
}

function rowsOf(list: PriceList | null): Record<MeterName, Row> {
  const entries = meters.map((meter) => {
    const found = list?.meters.find((each) => each.meter === meter)
    return [meter, { price: found?.price ?? '', per: found?.per ?? 1_000, included: found?.included ?? 0 }] as const
  })
  return Object.fromEntries(entries) as Record<MeterName, Row>
}
