import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core'
import type { Invoice } from '@roadworthy/contracts/sim-billing/invoices'
import { useState } from 'react'
import { useChangeInvoice, usePay } from '../api/invoice-queries.ts'
import { useMayChange } from '../session/use-session.ts'
import { money } from '../text/money.ts'

type Change = { readonly change: 'open' | 'void'; readonly label: string; readonly text: string }

/** Paying, and for a reseller's own invoices issuing and voiding. Nothing for whoever may only look. */
export function InvoiceActions({ invoice }: { invoice: Invoice }) {
  const [chosen, setChosen] = useState<Change>()
  const mayChange = useMayChange()
  if (!mayChange) return null
  const isOwn = invoice.issuer === 'reseller' && invoice.kind === 'invoice'
  return (
    <>
      {isOwn &&
        changesOf(invoice).map((each) => (
          <Button key={each.change} size="sm" variant="default" onClick={() => setChosen(each)}>
            {each.label}
          </Button>
        ))}
      {(invoice.status === 'open' || invoice.status === 'overdue') && invoice.amount_due_minor > 0 && <PayButton invoice={invoice} />}
      {chosen !== undefined && <ChangeDialog invoice={invoice} chosen={chosen} onClose={() => setChosen(undefined)} />}
    </>
  )
}

function changesOf({ status, paid_minor: paidMinor }: Invoice): Change[] {
  if (status === 'draft') {
    return [
      { change: 'void', label: 'Discard', text: 'The draft is discarded. It can be made anew.' },
      { change: 'open', label: 'Issue now', text: 'It gets its number and is sent. After that it can be corrected by credit notes only.' },
    ]
  }
  const isUnpaid = (status === 'open' || status === 'overdue') && paidMinor === 0
  return isUnpaid
    ? [{ change: 'void', label: 'Void', text: 'A credit note over all of it is issued. Nothing is to be paid any more.' }]
    : []
}

function PayButton({ invoice }: { invoice: Invoice }) {
  const pay = usePay(invoice.invoice_id)
  const start = () =>
    pay.mutate(undefined, {
      onSuccess: ({ payment }) => {
        if (payment.checkout_url !== null) location.assign(payment.checkout_url)
      },
    })
  return (
    <>
      <Button size="sm" loading={pay.isPending} onClick={start}>
        Pay {money(invoice.amount_due_minor, invoice.currency)}
      </Button>
      {pay.isError && (
        <Text size="sm" c="red" role="alert">
          {pay.error.message}
        </Text>
      )}
    </>
  )
}

function ChangeDialog({ invoice, chosen, onClose }: { invoice: Invoice; chosen: Change; onClose: () => void }) {
  const change = useChangeInvoice(invoice.invoice_id)
  return (
    <Modal opened onClose={onClose} title={`${chosen.label}: ${invoice.number ?? 'draft'} of ${invoice.period}`}>
      <Stack gap="sm">
        <Text size="sm">{chosen.text}</Text>
        {change.isError && (
          <Alert color="red" role="alert">
            {change.error.message}
          </Alert>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={change.isPending} onClick={() => change.mutate(chosen.change, { onSuccess: onClose })}>
            {chosen.label}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
