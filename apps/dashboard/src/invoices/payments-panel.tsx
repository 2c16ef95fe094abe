import { Button, Group, Table, Text, TextInput } from '@mantine/core'
import type { Invoice } from '@roadworthy/contracts/sim-billing/invoices'
import type { Payment } from '@roadworthy/contracts/sim-billing/payments'
import type { RecordedMoney } from '@roadworthy/contracts/sim-billing/recorded-payments'
import { sentenceCase } from '@roadworthy/wording/sentence-case'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { paymentsQuery, useAbandonPayment } from '../api/invoice-queries.ts'
import { useIsOfReseller, useMayChange } from '../session/use-session.ts'
import { useDialog } from '../shell/dialogs.tsx'
import { CheckIcon, ClockIcon, CrossIcon, WarningIcon } from '../shell/icons.tsx'
import { NotLoaded } from '../shell/not-loaded.tsx'
import { Panel } from '../shell/panel.tsx'
import { StatusBadge, type StatusLook } from '../shell/status-badge.tsx'
import { TypedConfirmation } from '../shell/typed-confirmation.tsx'
import { absoluteTime, calendarDay } from '../text/format.ts'
import { money } from '../text/money.ts'
import { t } from '../text/translate.ts'
import { useNow } from '../text/use-now.ts'
import { mayBeAbandoned, type PaymentEntry, paymentEntries } from './payment-entries.ts'
import { methodNames } from './payment-methods.ts'
import { TakeBack, useMayRecord } from './record-payment.tsx'

type Look = StatusLook & { readonly label: string }

const underWay: Look = { label: t('Under way'), color: 'blue', Icon: ClockIcon }
const canceled: Look = { label: t('Cancelled'), color: 'gray', Icon: CrossIcon }
const failed: Look = { label: t('Failed'), color: 'red', Icon: WarningIcon }

const paymentLooks: Readonly<Record<Payment['status'], Look>> = {
  pending: underWay,
  paid: { label: t('Paid'), color: 'green', Icon: CheckIcon },
  failed,
  expired: { label: t('Expired'), color: 'gray', Icon: CrossIcon },
  canceled,
  reversed: { label: t('Taken back'), color: 'gray', Icon: CrossIcon },
}
const refundLooks: Readonly<Record<Payment['refunds'][number]['status'], Look>> = {
  pending: underWay,
  succeeded: { label: t('Given back'), color: 'green', Icon: CheckIcon },
  failed,
  canceled,
}
const disputeLooks: Readonly<Record<Payment['disputes'][number]['status'], Look>> = {
  open: { label: t('Evidence wanted'), color: 'orange', Icon: WarningIcon },
  under_review: { label: t('Under review'), color: 'blue', Icon: ClockIcon },
  won: { label: t('Won'), color: 'green', Icon: CheckIcon },
  lost: { label: t('Lost'), color: 'red', Icon: CrossIcon },
  closed: { label: t('Closed'), color: 'gray', Icon: CrossIcon },
}

/** Attempts to pay the invoice, payments that were recorded by hand, and what was given back or is disputed of each. */
export function PaymentsPanel({ invoice }: { invoice: Invoice }) {
  const asked = useQuery({ ...paymentsQuery(invoice), enabled: invoice.payments.length > 0 })
  const isOfReseller = useIsOfReseller()
  // Of an invoice of the operator it is the operator who gives payments up.
  const mayAbandon = [useMayChange(), isOfReseller, invoice.issuer === 'reseller'].every(Boolean)
  if (invoice.payments.length === 0) return null
  return (
    <Panel title={t('Payments')}>
      {asked.data === undefined ? (
        <NotLoaded asked={asked} what={t('payments')} />
      ) : (
        <>
          <History invoice={invoice} payments={asked.data.payments} />
          {mayAbandon && <Unanswered payments={asked.data.payments} />}
        </>
      )}
    </Panel>
  )
}

/** Payments that keep the invoice from being paid in another way, because their gateway gives no answer. */
function Unanswered({ payments }: { payments: readonly Payment[] }) {
  const nowMs = useNow()
  const openDialog = useDialog()
  const unanswered = payments.filter((payment) => mayBeAbandoned(payment, nowMs))
  return (
    <>
      {unanswered.map((payment) => (
        <Group key={payment.id} justify="space-between" gap="sm" mt="sm">
          <Text size="sm" className="breaking">
            {payment.id}: {t('no answer of the gateway since {time}', { time: absoluteTime(payment.unanswered_since ?? '') })}
          </Text>
          <Button
            size="xs"
            variant="default"
            c="red"
            onClick={() => openDialog((close) => <AbandonDialog payment={payment} onClose={close} />)}
          >
            {t('Give up')}
          </Button>
        </Group>
      ))}
    </>
  )
}

function AbandonDialog({ payment, onClose }: { payment: Payment; onClose: () => void }) {
  const abandon = useAbandonPayment(payment.id)
  const [reason, setReason] = useState('')
  const since = absoluteTime(payment.unanswered_since ?? '')
  return (
    <TypedConfirmation
      title={t('Give up the payment of {amount}', { amount: money(payment.amount, payment.currency) })}
      text={t(
        'The gateway has given no answer since {time}. It is asked once more, and what it says counts. Else the payment counts as failed, and the invoice can be paid in another way. This cannot be undone; money that comes of it later is still booked.',
        { time: since },
      )}
      label={t('Give up')}
      word={payment.id}
      change={abandon}
      onConfirm={() => abandon.mutate(reason.trim(), { onSuccess: onClose })}
      onClose={onClose}
    >
      <TextInput label={t('Reason')} required maxLength={200} value={reason} onChange={(event) => setReason(event.currentTarget.value)} />
    </TypedConfirmation>
  )
}

function History({ invoice, payments }: { invoice: Invoice; payments: readonly Payment[] }) {
  const mayTakeBack = useMayRecord(invoice)
  return (
    <Table verticalSpacing={6}>
      <Table.Caption className="visually-hidden">{t('Payments, newest first, each with its refunds and disputes')}</Table.Caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th visibleFrom="sm">{t('When')}</Table.Th>
          <Table.Th>{t('What')}</Table.Th>
          <Table.Th>{t('Status')}</Table.Th>
          <Table.Th ta="right">{t('Amount')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {paymentEntries(payments).map((entry) => (
          <EntryRow key={keyOf(entry)} entry={entry} mayTakeBack={mayTakeBack} />
        ))}
      </Table.Tbody>
    </Table>
  )
}

function keyOf(entry: PaymentEntry): string {
  if (entry.kind === 'refund') return entry.refund.id
  if (entry.kind === 'dispute') return entry.dispute.id
  return `${entry.kind} ${entry.payment.id}`
}

function EntryRow({ entry, mayTakeBack }: { entry: PaymentEntry; mayTakeBack: boolean }) {
  switch (entry.kind) {
    case 'recorded':
      return <RecordedRow payment={entry.payment} recorded={entry.recorded} mayTakeBack={mayTakeBack} />
    case 'payment': {
      const { created_at: at, gateway, status, amount, currency, failure } = entry.payment
      return (
        <Row
          at={at}
          what={t('Payment by {gateway}', { gateway: sentenceCase(gateway ?? '') })}
          note={failure}
          look={paymentLooks[status]}
          amount={money(amount, currency)}
        />
      )
    }
    case 'refund': {
      const { created_at: at, status, amount, currency, reason, failure } = entry.refund
      return <Row at={at} what={t('Refund')} note={failure ?? reason} look={refundLooks[status]} amount={money(-amount, currency)} />
    }
    case 'refund elsewhere':
      return (
        <Row what={t('Refund at the gateway')} look={refundLooks.succeeded} amount={money(-entry.amountMinor, entry.payment.currency)} />
      )
    case 'dispute': {
      const { opened_at: at, status, amount, currency, reason, withdrawn, respond_by: respondBy } = entry.dispute
      const note = [
        sentenceCase(reason),
        ...(withdrawn > 0 ? [t('{amount} taken back by the gateway', { amount: money(withdrawn, currency) })] : []),
        ...(status === 'open' && respondBy !== null ? [t('evidence until {time}', { time: absoluteTime(respondBy) })] : []),
      ]
      return <Row at={at} what={t('Dispute')} note={note.join(' · ')} look={disputeLooks[status]} amount={money(amount, currency)} />
    }
  }
}

type RecordedProps = { payment: Payment; recorded: RecordedMoney; mayTakeBack: boolean }

function RecordedRow({ payment, recorded, mayTakeBack }: RecordedProps) {
  const { id, invoice_id: invoiceId, status, created_at: at } = payment
  const { method, received_on: day, reference, reversal_reason: reversalReason } = recorded
  const amount = money(payment.amount, payment.currency)
  const note = [
    t('came in on {date}', { date: calendarDay(day) }),
    ...(reference === null ? [] : [reference]),
    ...(reversalReason === null ? [] : [t('taken back: {reason}', { reason: reversalReason })]),
  ]
  return (
    <Row at={at} what={methodNames[method]} note={note.join(' · ')} look={paymentLooks[status]} amount={amount}>
      {mayTakeBack && status === 'paid' && <TakeBack invoiceId={invoiceId} paymentId={id} amount={amount} />}
    </Row>
  )
}

type RowProps = { at?: string; what: string; note?: string | null; look: Look; amount: string; children?: ReactNode }

function Row({ at, what, note = null, look, amount, children }: RowProps) {
  const time = at === undefined ? '–' : absoluteTime(at)
  return (
    <Table.Tr>
      <Table.Td visibleFrom="sm">{time}</Table.Td>
      <Table.Td>
        {what}
        <Small hiddenFrom="sm">{time}</Small>
        {note !== null && <Small>{note}</Small>}
        {children}
      </Table.Td>
      <Table.Td>
        <StatusBadge look={look}>{look.label}</StatusBadge>
      </Table.Td>
      <Table.Td ta="right" className="numbers nowrap">
        {amount}
      </Table.Td>
    </Table.Tr>
  )
}

function Small({ hiddenFrom, children }: { hiddenFrom?: 'sm'; children: ReactNode }) {
  return (
    <Text size="xs" c="dimmed" className="breaking" {...(hiddenFrom === undefined ? {} : { hiddenFrom })}>
      {children}
    </Text>
  )
}
