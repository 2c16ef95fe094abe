import { Button, Select, TextInput } from '@mantine/core'
import type { Invoice } from '@roadworthy/contracts/sim-billing/invoices'
import { MAX_PAYMENT_REFERENCE_LENGTH, type PaymentMethod, paymentMethods } from '@roadworthy/contracts/sim-billing/recorded-payments'
import { useState } from 'react'
import { useRecordPayment, useReversePayment } from '../api/invoice-queries.ts'
import { useIsOfReseller, useMayChange } from '../session/use-session.ts'
import { Confirmation } from '../shell/confirmation.tsx'
import { DecimalField } from '../shell/decimal-field.tsx'
import { useDialog } from '../shell/dialogs.tsx'
import { majorText, minorOf, money } from '../text/money.ts'
import { typedDecimal } from '../text/number-marks.ts'
import { t } from '../text/translate.ts'
import { dayIn } from './issue-day.ts'
import { methodNames } from './payment-methods.ts'

/** Of its own invoices a reseller records what came in, and takes it back. */
export function useMayRecord({ issuer, kind }: Pick<Invoice, 'issuer' | 'kind'>): boolean {
  const [mayChange, isOfReseller] = [useMayChange(), useIsOfReseller()]
  return mayChange && isOfReseller && issuer === 'reseller' && kind === 'invoice'
}

/** Nothing, where nothing is to be paid or the person may not. */
export function RecordPayment({ invoice }: { invoice: Invoice }) {
  const openDialog = useDialog()
  const mayRecord = useMayRecord(invoice)
  const isDue = (invoice.status === 'open' || invoice.status === 'overdue') && invoice.amount_due_minor > 0
  if (!mayRecord || !isDue) return null
  return (
    <Button size="sm" variant="default" onClick={() => openDialog((close) => <RecordDialog invoice={invoice} onClose={close} />)}>
      {t('Record a payment')}
    </Button>
  )
}

type Entry = { amount: string; method: PaymentMethod; day: string; reference: string }

function RecordDialog({ invoice, onClose }: { invoice: Invoice; onClose: () => void }) {
  const { currency, amount_due_minor: dueMinor, time_zone: timeZone } = invoice
  const [today] = useState(() => dayIn(timeZone, new Date()))
  const [entry, setEntry] = useState<Entry>({
    amount: majorText(dueMinor, currency),
    method: 'bank_transfer',
    day: today,
    reference: '',
  })
  const edit = (changed: Partial<Entry>) => setEntry((before) => ({ ...before, ...changed }))
  const record = useRecordPayment(invoice.invoice_id)
  const amountMinor = minorOf(entry.amount, currency)
  const isNoAmount = entry.amount !== '' && amountMinor === undefined
  const example = typedDecimal(majorText(dueMinor, currency))
  const isTooMuch = amountMinor !== undefined && amountMinor > dueMinor
  const confirm = () => {
    if (amountMinor === undefined) return
    const reference = entry.reference.trim()
    const given = { amount_minor: amountMinor, currency, method: entry.method, received_on: entry.day }
    record.mutate(reference === '' ? given : { ...given, reference }, { onSuccess: onClose })
  }
  return (
    <Confirmation
      title={t('Record a payment of invoice {number}', { number: invoice.number ?? '' })}
      text={t('Money that came in outside of a payment gateway. The invoice is paid when nothing is left to pay.')}
      label={t('Record it')}
      change={record}
      isReady={amountMinor !== undefined && amountMinor > 0 && !isTooMuch && entry.day !== ''}
      onConfirm={confirm}
      onClose={onClose}
    >
      <DecimalField
        label={t('Amount in {currency}', { currency })}
        description={t('Open: {amount}', { amount: money(dueMinor, currency) })}
        required
        data-autofocus
        maxLength={24}
        value={entry.amount}
        error={
          isTooMuch
            ? t('More than is open cannot be recorded.')
            : isNoAmount && t('Enter an amount in digits, such as {example}.', { example })
        }
        onChange={(amount) => edit({ amount })}
      />
      <Select
        label={t('How it came')}
        data={paymentMethods.map((value) => ({ value, label: methodNames[value] }))}
        allowDeselect={false}
        value={entry.method}
        onChange={(method) => method !== null && edit({ method })}
      />
      <TextInput
        type="date"
        label={t('Came in on')}
        description={t('Day in {timeZone}', { timeZone })}
        required
        max={today}
        value={entry.day}
        onChange={(event) => edit({ day: event.currentTarget.value })}
      />
      <TextInput
        label={t('Reference')}
        description={t('As on the bank statement')}
        maxLength={MAX_PAYMENT_REFERENCE_LENGTH}
        value={entry.reference}
        onChange={(event) => edit({ reference: event.currentTarget.value })}
      />
    </Confirmation>
  )
}

type TakeBackProps = { invoiceId: string; paymentId: string; amount: string }

/** A payment that was entered twice, or that the bank returned. */
export function TakeBack(props: TakeBackProps) {
  const openDialog = useDialog()
  const open = () => openDialog((close) => <TakeBackDialog {...props} onClose={close} />)
  return (
    <Button size="compact-xs" variant="subtle" color="red" px={0} mt={2} onClick={open}>
      {t('Take back')}
    </Button>
  )
}

function TakeBackDialog({ invoiceId, paymentId, amount, onClose }: TakeBackProps & { onClose: () => void }) {
  const reverse = useReversePayment(invoiceId, paymentId)
  const [reason, setReason] = useState('')
  return (
    <Confirmation
      title={t('Take back the payment of {amount}', { amount })}
      text={t(
        'For a payment that was entered by mistake, that the bank returned, or that you gave back. It stays in the list as taken back, and what it had paid is due again. No money is moved by this.',
      )}
      label={t('Take back')}
      color="red"
      change={reverse}
      isReady={reason.trim() !== ''}
      onConfirm={() => reverse.mutate(reason.trim(), { onSuccess: onClose })}
      onClose={onClose}
    >
      <TextInput
        label={t('Reason')}
        required
        data-autofocus
        maxLength={200}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </Confirmation>
  )
}
