// The page that a gateway shows to the customer: what is to be paid, and two buttons. Forms only, no script.

import { hmac } from './deliveries.ts'
import { type Exchange, html, matchPath, type Reply } from './http-exchange.ts'
import type { Checkout, Payment } from './state.ts'
import { type PayOutcome, pay, payOutcomes } from './transitions.ts'
import { amountText } from './wire-units.ts'
import { accountOf, type World } from './world.ts'

const NAMES = { stripe: 'Stripe', razorpay: 'Razorpay' } as const

/** Absent of another path. */
export function answerPage(world: World, exchange: Exchange): Reply | undefined {
  const params = matchPath('/pay/:id', exchange.path)
  if (params === undefined) return undefined
  const checkout = world.state.checkouts.find((each) => each.id === params['id'])
  if (checkout === undefined) return html(404, page('No such checkout', '<p>Nobody has opened this checkout.</p>'))
  if (exchange.method === 'GET') return html(200, checkoutPage(checkout, undefined))
  if (exchange.method !== 'POST') return html(405, page('Not so', '<p>Pay or decline.</p>'))
  const outcome = new URLSearchParams(exchange.body).get('outcome')
  if (!isOutcome(outcome)) return html(400, page('Not so', '<p>Pay or decline.</p>'))
  const payment = pay(world, checkout, outcome)
  if (payment === undefined) return html(409, checkoutPage(checkout, undefined))
  if (outcome === 'declined') return html(200, checkoutPage(checkout, 'Your card was declined. Nothing was charged; you can try again.'))
  return backToMerchant(world, checkout, payment)
}

function isOutcome(text: string | null): text is PayOutcome {
  return payOutcomes.some((outcome) => outcome === text)
}

function backToMerchant(world: World, checkout: Checkout, payment: Payment): Reply {
  if (checkout.returnUrl === null || !URL.canParse(checkout.returnUrl)) return html(200, checkoutPage(checkout, undefined))
  const url = new URL(checkout.returnUrl)
  if (checkout.gateway === 'razorpay') {
    const status = checkout.status === 'completed' ? 'paid' : 'created'
    const reference = checkout.reference ?? ''
    const secret = accountOf(world, checkout.account)?.keySecret ?? ''
    url.searchParams.set('razorpay_payment_id', payment.id)
    url.searchParams.set('razorpay_payment_link_id', checkout.id)
    url.searchParams.set('razorpay_payment_link_reference_id', reference)
    url.searchParams.set('razorpay_payment_link_status', status)
    url.searchParams.set('razorpay_signature', hmac(secret, `${checkout.id}|${reference}|${status}|${payment.id}`))
  }
  return { status: 303, headers: { location: url.href, 'referrer-policy': 'no-referrer' }, body: '' }
}

const STATE_TEXTS = {
  open: '',
  partially_paid: 'A part of this is paid.',
  completed: 'This is paid, or being paid.',
  expired: 'This checkout has expired.',
  canceled: 'This checkout was canceled.',
} as const

function checkoutPage(checkout: Checkout, notice: string | undefined): string {
  const amount = amountText(checkout.gateway, checkout.amount, checkout.currency)
  const isOpen = checkout.status === 'open' || checkout.status === 'partially_paid'
  const message = notice ?? STATE_TEXTS[checkout.status]
  const back =
    checkout.returnUrl === null || !isWebUrl(checkout.returnUrl)
      ? ''
      : `<p><a href="${escaped(checkout.returnUrl)}">Back to the merchant</a></p>`
  const form = `<form method="post">
    <button id="pay" name="outcome" value="paid">Pay ${escaped(amount)}</button>
    <button id="decline" name="outcome" value="declined" class="quiet">Decline</button>
  </form>`
  return page(
    `${NAMES[checkout.gateway]} checkout (emulated)`,
    `<p>${escaped(checkout.description)}</p>
  <p class="amount">${escaped(amount)}</p>
  ${message === '' ? '' : `<p role="status">${escaped(message)}</p>`}
  ${isOpen ? form : ''}
  ${back}`,
  )
}

function isWebUrl(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)
}

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 26rem; margin: 4rem auto; padding: 0 1rem; color: #1a1f36; }
.amount { font-size: 2rem; font-weight: 600; margin: 0.5rem 0; }
button { font: inherit; padding: 0.7rem 1.2rem; border-radius: 6px; border: 1px solid #3b4fd8; background: #3b4fd8; color: #fff; cursor: pointer; }
button.quiet { background: #fff; color: #3b4fd8; }
small { color: #5b6070; }
</style>
</head>
<body>
<main>
  <h1>${escaped(title)}</h1>
  ${content}
  <small>No money moves here: this is an emulator for tests and demonstrations.</small>
</main>
</body>
</html>
`
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
