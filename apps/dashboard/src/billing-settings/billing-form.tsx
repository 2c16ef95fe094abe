import { Button, Checkbox, Group, NumberInput, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import type { BillingSettings } from '@roadworthy/contracts/sim-billing/billing-configuration'
import { withdrawnCurrencies } from '@roadworthy/contracts/sim-billing/currency-decimals'
import { type FormEvent, useState } from 'react'
import { useChangeBillingSettings } from '../api/billing-queries.ts'
import { changesOf } from '../shell/changes-of.ts'
import { DecimalField } from '../shell/decimal-field.tsx'
import { refusalElsewhere, refusalOf } from '../shell/field-refusal.ts'
import { Panel } from '../shell/panel.tsx'
import { Refusal } from '../shell/refusal.tsx'
import { t } from '../text/translate.ts'
import { PartyFields, partyPaths } from './party-fields.tsx'
import { bodyOf, editsOf, type SettingsEdits } from './settings-edits.ts'
import { TaxList, taxPaths } from './tax-list.tsx'

const currencies = Intl.supportedValuesOf('currency').filter((code) => !withdrawnCurrencies.includes(code))
const FIELDS = [
  ...['currency', 'number_prefix', 'payment_terms_days', 'draft_grace_hours', 'default_margin_percent', 'footer', 'reminder_days'],
  'hold_sims_after_days',
]

export function BillingForm({ settings }: { settings: BillingSettings | null }) {
  const change = useChangeBillingSettings()
  const [typed, setTyped] = useState<Partial<SettingsEdits>>({})
  const stored = editsOf(settings)
  const edits: SettingsEdits = { ...stored, ...typed }
  const edit = (changed: Partial<SettingsEdits>) => {
    change.reset()
    setTyped({ ...typed, ...changed })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const changes = settings === null ? bodyOf(edits) : changesOf(bodyOf(edits), bodyOf(stored))
    if (Object.keys(changes).length > 0) change.mutate(changes, { onSuccess: () => setTyped({}) })
  }
  const shown = [...FIELDS, ...partyPaths('issuer.'), ...taxPaths(edits.taxes)]
  return (
    <form onSubmit={submit} className="stacked">
      <div className="halves">
        <Panel title={t('Who issues')}>
          <PartyFields path="issuer." party={edits.issuer} error={change.error} onChange={(issuer) => edit({ issuer })} />
        </Panel>
        <div className="stacked">
          <Panel title={t('Money and numbers')}>
            <MoneyFields edits={edits} error={change.error} isIssuing={(settings?.next_number ?? 1) > 1} onEdit={edit} />
          </Panel>
          <Panel title={t('Taxes')}>
            <TaxList taxes={edits.taxes} error={change.error} onChange={(taxes) => edit({ taxes })} />
          </Panel>
        </div>
      </div>
      <Panel title={t('Dates, reminders and what follows')}>
        <DunningFields edits={edits} error={change.error} onEdit={edit} />
      </Panel>
      <Refusal error={refusalElsewhere(change.error, shown)} />
      <Group justify="flex-end" gap="sm">
        {change.isSuccess && (
          <Text size="sm" c="dimmed" role="status">
            {t('Saved')}
          </Text>
        )}
        <Button type="submit" loading={change.isPending} disabled={edits.currency === '' || edits.issuer.name.trim() === ''}>
          {settings === null ? t('Set billing up') : t('Save')}
        </Button>
      </Group>
    </form>
  )
}

type FieldsProps = { edits: SettingsEdits; error: Error | null; onEdit: (changed: Partial<SettingsEdits>) => void }

function MoneyFields({ edits, error, isIssuing, onEdit }: FieldsProps & { isIssuing: boolean }) {
  return (
    <Stack gap="sm">
      <Select
        label={t('Currency')}
        description={isIssuing ? t('There are invoices in it, so it stays.') : t('It stays once there are invoices.')}
        searchable
        required
        allowDeselect={false}
        disabled={isIssuing}
        value={edits.currency === '' ? null : edits.currency}
        data={withdrawnCurrencies.includes(edits.currency) ? [edits.currency, ...currencies] : currencies}
        error={refusalOf(error, 'currency')}
        onChange={(currency) => onEdit({ currency: currency ?? '' })}
      />
      <TextInput
        label={t('Before the number of an invoice')}
        description={t('Capital letters, digits, - and /, not ending with a digit. Numbers go on where they are.')}
        maxLength={10}
        value={edits.numberPrefix}
        error={refusalOf(error, 'number_prefix')}
        onChange={(event) => onEdit({ numberPrefix: event.currentTarget.value.toUpperCase() })}
      />
      <DecimalField
        label={t('Margin in percent')}
        description={t('On every price that a customer has no price of its own for')}
        value={edits.marginPercent}
        error={refusalOf(error, 'default_margin_percent')}
        onChange={(marginPercent) => onEdit({ marginPercent })}
      />
      <Textarea
        label={t('At the foot of every invoice')}
        description={t('Such as bank details')}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={2_000}
        value={edits.footer}
        error={refusalOf(error, 'footer')}
        onChange={(event) => onEdit({ footer: event.currentTarget.value })}
      />
    </Stack>
  )
}

function DunningFields({ edits, error, onEdit }: FieldsProps) {
  return (
    <div className="halves">
      <Stack gap="sm">
        <Checkbox
          label={t('Draft invoices by itself')}
          description={t('About a day after the end of each month. A month that ends while this is off is not drafted by itself.')}
          checked={edits.enabled}
          onChange={(event) => onEdit({ enabled: event.currentTarget.checked })}
        />
        <NumberInput
          label={t('Hours until a draft is issued')}
          description={t('In which it can be checked, corrected or discarded')}
          min={0}
          max={720}
          allowDecimal={false}
          hideControls
          value={edits.graceHours}
          error={refusalOf(error, 'draft_grace_hours')}
          onChange={(graceHours) => onEdit({ graceHours })}
        />
        <NumberInput
          label={t('Days until an invoice is due')}
          description={t('After it was issued')}
          min={0}
          max={365}
          allowDecimal={false}
          hideControls
          value={edits.termsDays}
          error={refusalOf(error, 'payment_terms_days')}
          onChange={(termsDays) => onEdit({ termsDays })}
        />
      </Stack>
      <Stack gap="sm">
        <TextInput
          label={t('Reminders')}
          description={t('Days after the due date on which a mail is sent; negative: before it. Such as -3, 3, 10. Empty: none.')}
          value={edits.reminderDays}
          error={refusalOf(error, 'reminder_days')}
          onChange={(event) => onEdit({ reminderDays: event.currentTarget.value })}
        />
        <NumberInput
          label={t('Suspend SIMs of who does not pay')}
          description={t(
            'When an invoice has been due for more than so many days, the active SIMs of its sub-client are suspended until it is paid. Empty: never.',
          )}
          min={0}
          max={365}
          allowDecimal={false}
          hideControls
          value={edits.holdDays}
          error={refusalOf(error, 'hold_sims_after_days')}
          onChange={(holdDays) => onEdit({ holdDays })}
        />
      </Stack>
    </div>
  )
}
