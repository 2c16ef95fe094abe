import { Button, Text } from '@mantine/core'
import type { Invoice } from '@roadworthy/contracts/sim-billing/invoices'
import { useChangeInvoice, usePay } from '../api/invoice-queries.ts'
import { useMayChange } from '../session/use-session.ts'
import { Confirmation } from '../shell/confirmation.tsx'
import { useDialog } from '../shell/dialogs.tsx'
import { monthName } from '../text/format.ts'
import { money } from '../text/money.ts'
import { t } from '../text/translate.ts'
import { RecordPayment } from './record-payment.tsx'

type Change = { readonly change: 'open' | 'void'; readonly label: string; readonly text: string }

/** Paying, and for a reseller's own invoices issuing and voiding. A person who may not change anything sees no button. */
export function InvoiceActions({ invoice }: { invoice: Invoice }) {
  const openDialog = useDialog()
  const choose = (chosen: Change) => openDialog((close) => <ChangeDialog invoice={invoice} chosen={chosen} onClose={close} />)
  const mayChange = useMayChange()
  if (!mayChange) return null
  const isOwn = invoice.issuer === 'reseller' && invoice.kind === 'invoice'
  return (
    <>
      {isOwn &&
        changesOf(invoice).map((each) => (
          <Button key={each.change} size="sm" variant="default" onClick={() => choose(each)}>
            {each.label}
          </Button>
        ))}
      <RecordPayment invoice={invoice} />
      {(invoice.status === 'open' || invoice.status === 'overdue') && invoice.amount_due_minor > 0 && <PayButton invoice={invoice} />}
    </>
  )
}

function changesOf({ status, paid_minor: paidMinor }: Invoice): Change[] {
  if (status === 'draft') {
    return [
      { change: 'void', label: t('Discard'), text: t('The draft is discarded. The month can be drafted again.') },
      {
        change: 'open',
        label: t('Issue now'),
        text: t('The invoice gets its number, and its customer can see and pay it. After that, only credit notes correct it.'),
      },
    ]
  }
  if (status === 'void' || paidMinor > 0) return []
  const text =
    status === 'paid'
      ? t('Nothing is paid of this invoice, and nothing is left to pay. Its month can be drafted again.')
      : t('A credit note over the whole invoice is issued, and nothing is left to pay.')
  return [{ change: 'void', label: t('Void it'), text }]
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
        {t('Pay {amount}', { amount: money(invoice.amount_due_minor, invoice.currency) })}
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
    <Confirmation
      title={t('{label}: {number} of {period}', {
        label: chosen.label,
        number: invoice.number ?? t('draft'),
        period: monthName(invoice.period),
      })}
      text={chosen.text}
      label={chosen.label}
      color={chosen.change === 'void' ? 'red' : undefined}
      change={change}
      onConfirm={() => change.mutate(chosen.change, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}
