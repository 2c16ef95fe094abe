import { Button, Group, Table, Text, TextInput } from '@mantine/core'
import type { Invoice } from '@roadworthy/contracts/sim-billing/invoices'
import type { Payment } from '@roadworthy/contracts/sim-billing/payments'
import { sentenceCase } from '@roadworthy/wording/sentence-case'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { paymentsQuery, useAbandonPayment } from '../api/invoice-queries.ts'
import { useIsOfReseller, useMayChange } from '../session/use-session.ts'
import { CheckIcon, ClockIcon, CrossIcon, WarningIcon } from '../shell/icons.tsx'
import { NotLoaded } from '../shell/not-loaded.tsx'
import { Panel } from '../shell/panel.tsx'
import { StatusBadge, type StatusLook } from '../shell/status-badge.tsx'
import { TypedConfirmation } from '../shell/typed-confirmation.tsx'
import { absoluteTime } from '../text/format.ts'
import { money } from '../text/money.ts'
import { t } from '../text/translate.ts'
import { useNow } from '../text/use-now.ts'
import { mayBeAbandoned, type PaymentEntry, paymentEntries } from './payment-entries.ts'

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

/** Attempts to pay the invoice, and what was given back or is disputed of each. */
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
          <History payments={asked.data.payments} />
          {mayAbandon && <Unanswered payments={asked.data.payments} />}
        </>
      )}
    </Panel>
  )
}

/** Payments that keep the invoice from being paid in another way, because their gateway gives no answer. */
function Unanswered({ payments }: { payments: readonly Payment[] }) {
  const nowMs = useNow()
  const [chosen, setChosen] = useState<Payment>()
  const unanswered = payments.filter((payment) => mayBeAbandoned(payment, nowMs))
  return (
    <>
      {unanswered.map((payment) => (
        <Group key={payment.id} justify="space-between" gap="sm" mt="sm">
          <Text size="sm" className="breaking">
            {payment.id}: {t('no answer of the gateway since {time}', { time: absoluteTime(payment.unanswered_since ?? '') })}
          </Text>
          <Button size="xs" variant="default" c="red" onClick={() => setChosen(payment)}>
            {t('Give up')}
          </Button>
        </Group>
      ))}
      {chosen !== undefined && <AbandonDialog payment={chosen} onClose={() => setChosen(undefined)} />}
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

function History({ payments }: { payments: readonly Payment[] }) {
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
          <EntryRow key={keyOf(entry)} entry={entry} />
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

function EntryRow({ entry }: { entry: PaymentEntry }) {
  switch (entry.kind) {
    case 'payment': {
      const { created_at: at, gateway, status, amount, currency, failure } = entry.payment
      return (
        <Row
          at={at}
          what={t('Payment by {gateway}', { gateway: sentenceCase(gateway) })}
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

type RowProps = { at?: string; what: string; note?: string | null; look: Look; amount: string }

function Row({ at, what, note = null, look, amount }: RowProps) {
  const time = at === undefined ? '–' : absoluteTime(at)
  return (
    <Table.Tr>
      <Table.Td className="nowrap" visibleFrom="sm">
        {time}
      </Table.Td>
      <Table.Td>
        {what}
        <Small hiddenFrom="sm">{time}</Small>
        {note !== null && <Small>{note}</Small>}
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
    <Text size="xs" c="dimmed" {...(hiddenFrom === undefined ? {} : { hiddenFrom })}>
      {children}
    </Text>
  )
}
