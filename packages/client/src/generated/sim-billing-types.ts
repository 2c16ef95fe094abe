// Written by `npm run openapi` from docs/openapi/sim-billing.json and the table of methods. Changes belong there.

import type { RequestOptions, WriteOptions } from '../request-options.ts'

export type AbandonRequest = {
  /** For people; it is in `failure`, the event and the audit log. */
  reason: string
}

export type BillingCustomer = {
  /** A sub-client of this reseller. */
  sub_client_id: string
  /** Whether it is billed. */
  enabled: boolean
  party: BillingParty
  /** Null: the default margin. Decimal text, with at most 4 decimals. */
  margin_percent: string | null
  /** Taxes that it bears. Null: all. */
  tax_ids: string[] | null
  /** Null: as in the settings. */
  payment_terms_days: number | null
  /** Its own reference, as on a purchase order. */
  buyer_reference: string | null
  /** Prices of plans for this customer, instead of the plan’s own and without margin. */
  plan_overrides: PlanOverride[]
  /** Instead of that of the price list. Null: that. Decimal text in major units, with at most 6 decimals. */
  subscription_fee: string | null
  meter_overrides: MeterOverride[]
}

/** How the sub-client is billed. */
export type BillingCustomerAnswer = {
  success: true
  customer: BillingCustomer
}

export type BillingCustomerUpdate = {
  /** Whether it is billed. */
  enabled?: boolean | undefined
  party?: BillingParty | undefined
  /** Null: the default margin. Decimal text, with at most 4 decimals. */
  margin_percent?: string | null | undefined
  /** Taxes that it bears. Null: all. */
  tax_ids?: readonly string[] | null | undefined
  /** Null: as in the settings. */
  payment_terms_days?: number | null | undefined
  /** Its own reference, as on a purchase order. */
  buyer_reference?: string | null | undefined
  /** Prices of plans for this customer, instead of the plan’s own and without margin. */
  plan_overrides?: readonly PlanOverride[] | undefined
  /** Instead of that of the price list. Null: that. Decimal text in major units, with at most 6 decimals. */
  subscription_fee?: string | null | undefined
  meter_overrides?: readonly MeterOverride[] | undefined
}

/** The issuer or the recipient of an invoice. */
export type BillingParty = {
  /** Legal name, as it is to stand on invoices. */
  name: string
  /** Street and house. */
  address_lines: readonly string[]
  /** City. */
  city?: string | null | undefined
  /** Postal code. */
  postal_code?: string | null | undefined
  /** State or province. */
  region?: string | null | undefined
  /** ISO 3166-1 alpha-2, or `XK`: the United Kingdom is `GB`. */
  country_code: string
  /** GSTIN, VAT number or the like. */
  tax_number?: string | null | undefined
  /** Reminders go here. */
  email?: string | null | undefined
  /** Phone. */
  phone?: string | null | undefined
}

export type BillingSettings = {
  /** Whether months are drafted by themselves. A month that ends while it is off is not. */
  enabled: boolean
  /** A currency of ISO 4217. */
  currency: string
  issuer: BillingParty
  /** Before the number of an invoice; numbers go on where they were when it changes. */
  number_prefix: string
  /** An invoice is due so many days after it was opened. */
  payment_terms_days: number
  /** A draft opens so long after it was made. */
  draft_grace_hours: number
  /** On every price that a customer has no price of its own for. Decimal text, with at most 4 decimals. */
  default_margin_percent: string
  /** Each customer bears all of them, or those that it names. */
  taxes: BillingTax[]
  /** At the foot of every invoice, such as bank details. */
  footer: string | null
  /** Days after the due date on which a reminder is mailed; before it where negative. */
  reminder_days: number[]
  /** When an invoice has been due for more days than these, the active SIMs of its sub-client are suspended until it is paid; null: never. */
  hold_sims_after_days: number | null
  /** Of the months: that of the reseller. */
  time_zone: string
  /** Of the next invoice or credit note. */
  next_number: number
  /** When billing was set up. Its month is the first that is drafted by itself. */
  created_at: string
}

/** As it is. */
export type BillingSettingsAnswer = {
  success: true
  /** Null: billing is not set up. */
  settings: BillingSettings | null
  /** The newest month that was drafted by itself. */
  last_month: DraftedMonth | null
}

export type BillingSettingsUpdate = {
  /** Whether months are drafted by themselves. A month that ends while it is off is not. */
  enabled?: boolean | undefined
  /** A currency of ISO 4217. */
  currency?: string | undefined
  issuer?: BillingParty | undefined
  /** Before the number of an invoice; numbers go on where they were when it changes. */
  number_prefix?: string | undefined
  /** An invoice is due so many days after it was opened. */
  payment_terms_days?: number | undefined
  /** A draft opens so long after it was made. */
  draft_grace_hours?: number | undefined
  /** On every price that a customer has no price of its own for. Decimal text, with at most 4 decimals. */
  default_margin_percent?: string | undefined
  /** Each customer bears all of them, or those that it names. */
  taxes?: readonly BillingTax[] | undefined
  /** At the foot of every invoice, such as bank details. */
  footer?: string | null | undefined
  /** Days after the due date on which a reminder is mailed; before it where negative. */
  reminder_days?: readonly number[] | undefined
  /** When an invoice has been due for more days than these, the active SIMs of its sub-client are suspended until it is paid; null: never. */
  hold_sims_after_days?: number | null | undefined
}

/** One line on each invoice, on the sum of its lines. */
export type BillingTax = {
  /** By which customers name it. */
  tax_id: string
  /** As on the invoice. */
  name: string
  /** Decimal text of percent, at most 100. */
  rate_percent: string
  /** UNCL5305: `S` standard, `Z` zero rated, `E` exempt, `AE` reverse charge, `O` outside the scope. */
  category: 'S' | 'Z' | 'E' | 'AE' | 'O'
  /** Where nothing is charged, and the category asks for a reason. */
  exemption_reason?: string | null | undefined
}

export type CorrectedInvoice = {
  invoice_id: string
  number: string
}

/** The credit note, and the invoice as it is with it. */
export type CreditNoteAnswer = {
  success: true
  credit_note: Invoice
  invoice: InvoiceSummary
  /** What had been paid of the credited amount: it belongs to no invoice, and is to be refunded. In minor units of the currency. */
  unapplied_minor: number
}

export type CreditNoteRequest = {
  /** As on the credit note. */
  reason: string
  /** Left out: everything that is not credited yet. */
  lines?: readonly CreditedLine[] | undefined
}

export type CreditedLine = {
  /** Of the invoice. */
  line: number
  /** How much of the line is given back, without tax, in minor units. */
  amount_minor: number
}

export type Dispute = {
  /** As the gateway calls it. */
  id: string
  /** `open`: the gateway waits for evidence. `closed`: it ended without a winner. */
  status: 'open' | 'under_review' | 'won' | 'lost' | 'closed'
  /** What is disputed. */
  amount: number
  /** What the gateway has taken back because of it, at present. */
  withdrawn: number
  /** ISO 4217. */
  currency: string
  /** In the gateway’s words. */
  reason: string
  /** Until when the gateway takes evidence. */
  respond_by: string | null
  /** When it became known here. */
  opened_at: string
  /** When it last changed. */
  updated_at: string
}

export type DraftedMonth = {
  /** The month. */
  period: string
  /** When its invoices were drafted. */
  drafted_at: string
  /** Sub-clients whose month could not be rated, and why. Draft it again when that is mended. */
  failures: RatingFailure[]
}

export type ExactQuantity = {
  numerator: string
  denominator: string
}

/** An account at a payment gateway, without its credentials. */
export type GatewayConnection = {
  connection_id: string
  /** `stripe`: Stripe Checkout. `razorpay`: Razorpay Payment Links. */
  gateway: 'stripe' | 'razorpay'
  /** For people. */
  name: string
  /** Whether new payments go through it. Callbacks, refunds and payments under way are served in any case. */
  enabled: boolean
  /** Whether real money moves, by the form of the key. */
  mode: 'live' | 'test'
  settings: GatewaySettings
  /** Which credentials are stored. */
  credential_names: string[]
  /** Enter this at the gateway as the URL of its webhooks. */
  callback_url: string
  /** Until when a webhook secret that was replaced is valid, where one is. */
  previous_webhook_secret_until: string | null
  /** When the last callback came that was shown to be the gateway’s. */
  last_event_at: string | null
  /** Callbacks that were not shown to be the gateway’s. */
  refused_callbacks: number
  /** When the last of them came. */
  last_refused_at: string | null
  /** Why it was refused. `bad_signature`: check the webhook secret. */
  last_refusal: string | null
  /** When it was made. */
  created_at: string
  /** When it was last changed. */
  updated_at: string
}

/** The connection as it is now. */
export type GatewayConnectionAnswer = {
  success: true
  connection: GatewayConnection
}

export type GatewayConnectionCreate = {
  /** `stripe`: Stripe Checkout. `razorpay`: Razorpay Payment Links. */
  gateway: 'stripe' | 'razorpay'
  /** For people. */
  name: string
  /** Whether new payments go through it. Callbacks, refunds and payments under way are served in any case. Preset: `true`. */
  enabled?: boolean | undefined
  settings?: GatewaySettings | undefined
  credentials: GatewayCredentials
}

/** It is forgotten. */
export type GatewayConnectionDeleted = {
  success: true
  connection_id: string
}

/** All of them, oldest first. */
export type GatewayConnectionList = {
  /** How many there are: ten at most. */
  total: number
  connections: GatewayConnection[]
}

/** What a call with these credentials brought. It moves no money, and does not test callbacks. */
export type GatewayConnectionTest = {
  /** Whether the gateway took the credentials and answered. */
  success: boolean
  /** What it answered; of a failure, what was wrong. */
  message: string
  /** The id of the account, where the gateway gives it. */
  account: string | null
  /** Whether real money moves. */
  mode: 'live' | 'test'
  duration_ms: number
}

/** What is left out stays; `settings` replaces all of them, of `credentials` those that are given. Another `base_url` needs the key again. From test to live is another connection. */
export type GatewayConnectionUpdate = {
  /** For people. */
  name?: string | undefined
  /** Whether new payments go through it. Callbacks, refunds and payments under way are served in any case. */
  enabled?: boolean | undefined
  settings?: GatewaySettings | undefined
  credentials?: GatewayCredentials | undefined
}

/** Sealed at rest and never shown again. */
export type GatewayCredentials = {
  /** Of Stripe: a secret or a restricted key. */
  api_key?: string | undefined
  /** Of Razorpay: the secret of the API key. */
  key_secret?: string | undefined
  /** With which the gateway signs its callbacks. The one before stays valid for three days after it was replaced. */
  webhook_secret?: string | undefined
}

/** What is no secret. */
export type GatewaySettings = {
  /** Where the gateway's API is, if not at the gateway itself. */
  base_url?: string | undefined
  /** Of Razorpay: the id of the API key. */
  key_id?: string | undefined
}

export type Invoice = {
  /** Of the invoice. */
  invoice_id: string
  /** Without gaps within its issuer. Null of a draft. */
  number: string | null
  /** A credit note has positive amounts: its kind shows that they are given back. */
  kind: 'invoice' | 'credit_note'
  /** `draft`: may still be made anew. `open` and `overdue` are to be paid. A credit note is `paid`: nothing is to be paid. */
  status: 'draft' | 'open' | 'paid' | 'overdue' | 'void'
  /** `reseller`: to one of its sub-clients. `operator`: to the reseller, by the operator of the installation. */
  issuer: 'reseller' | 'operator'
  /** To whom; null where it is to the reseller. */
  sub_client_id: string | null
  /** The month it is for. */
  period: string
  /** Of the month. */
  time_zone: string
  /** The month’s first instant. */
  from: string
  /** The first instant after it. */
  until: string
  /** A currency of ISO 4217. */
  currency: string
  /** Without taxes. In minor units of the currency. */
  subtotal_minor: number
  /** All taxes. In minor units of the currency. */
  tax_minor: number
  /** What was invoiced. In minor units of the currency. */
  total_minor: number
  /** Of it, what was paid. In minor units of the currency. */
  paid_minor: number
  /** Of it, what credit notes gave back. In minor units of the currency. */
  credited_minor: number
  /** What is still to be paid. In minor units of the currency. */
  amount_due_minor: number
  /** Of a credit note: what it corrects. */
  corrects: CorrectedInvoice | null
  /** When it was made. */
  drafted_at: string
  /** Of a draft: when it opens by itself. */
  opens_at: string | null
  /** When it was issued. */
  opened_at: string | null
  /** The day on which it is due, in its time zone. */
  due_date: string | null
  /** When nothing was left to pay. */
  paid_at: string | null
  /** When it was voided, or discarded as a draft. */
  voided_at: string | null
  issuer_party: BillingParty
  recipient: BillingParty
  lines: InvoiceLine[]
  taxes: InvoiceTax[]
  buyer_reference: string | null
  footer: string | null
  /** That correct it, oldest first. */
  credit_notes: InvoiceSummary[]
  /** Attempts to pay it, and payments that were recorded by hand, oldest first. */
  payments: InvoicePayment[]
  /** What came in for it and belongs to no invoice: it is to be given back. What came by a gateway is refunded there by itself, the rest is not. In minor units of the currency. */
  unapplied_minor: number
}

/** The invoice as it is. */
export type InvoiceAnswer = {
  success: true
  invoice: Invoice
}

/** What was drafted, and what could not be. */
export type InvoiceDraftAnswer = {
  success: true
  /** What was drafted or rated anew. A sub-client that has nothing to be billed gets none. */
  invoices: InvoiceSummary[]
  /** Drafts that are new. */
  made: number
  /** Drafts that were rated anew, with `replace`. */
  replaced: number
  /** Invoices of the month that stay as they are: those that were issued, and without `replace` drafts too. */
  kept: number
  /** Drafts that were discarded, with `replace`: nothing is left to be billed. */
  discarded: number
  /** What could not be rated, and why. A draft that is there stays. */
  failures: RatingFailure[]
}

export type InvoiceDraftRequest = {
  /** A month that is over and whose usage is final: a day after its end. */
  month: string
  /** Of this one only. */
  sub_client_id?: string | null | undefined
  /** Rate drafts that are there anew. Invoices that were issued stay as they are. Preset: `false`. */
  replace?: boolean | undefined
}

export type InvoiceLine = {
  line: number
  /** Such as `sim_rental` or `data_overage`. */
  kind: string
  description: string
  sim: InvoicedSim | null
  plan_id: string | null
  /** Half-open. */
  from: string
  /** Half-open. */
  until: string
  /** Decimal text. */
  quantity: string
  /** Exact, where `quantity` had to be rounded to 6 decimals. */
  quantity_fraction: ExactQuantity | null
  unit: 'month' | 'day' | 'piece' | 'megabyte'
  /** Decimal text in major units, margin included. */
  unit_price: string
  /** The price is for so many units. */
  price_quantity: number
  /** `quantity / price_quantity * unit_price`, rounded half up once. In minor units of the currency. */
  amount_minor: number
}

/** A page of invoices and credit notes. */
export type InvoiceList = {
  /** How many there are on all pages, with the filters of this request. */
  total: number
  invoices: InvoiceSummary[]
  pagination: Pagination
  /** As `pagination.endCursor` where there is a next page. */
  next_cursor: string | null
}

export type InvoicePayment = {
  /** Of the attempt, or of what was recorded. */
  id: string
  /** Null where it came in outside of a gateway. */
  gateway: string | null
  /** Of a payment that came in outside of a gateway, as the issuer of the invoice recorded it. Null of one at a gateway. */
  recorded: RecordedMoney | null
  /** Such as `pending`, `paid`, `failed`, `expired` or `reversed`. */
  status: string
  /** What was asked, or came in. In minor units of the currency. */
  amount_minor: number
  /** A currency of ISO 4217. */
  currency: string
  /** Why it failed, in the gateway’s words. */
  failure: string | null
  /** What the bank of the customer disputes of it, oldest first. */
  disputes: Dispute[]
  /** When it was begun. */
  created_at: string
  /** When it last changed. */
  updated_at: string
}

/** The invoice with everything that it was made from. */
export type InvoiceStatement = {
  /** Of an invoice, or of a credit note. */
  statement: 'roadworthy-invoice-1' | 'roadworthy-credit-note-1'
  /** As it was issued: parties, lines, taxes, totals. */
  invoice: Record<string, unknown>
  /** The ledgers, prices, terms and taxes that it was rated from. Of a credit note: what was asked, the invoice that it corrects and the notes before it. */
  input: Record<string, unknown>
  /** Base64 of SPKI DER, Ed25519. */
  publicKey: string
  /** Base64, over the canonical JSON (RFC 8785) of everything else. */
  signature: string
}

export type InvoiceSummary = {
  /** Of the invoice. */
  invoice_id: string
  /** Without gaps within its issuer. Null of a draft. */
  number: string | null
  /** A credit note has positive amounts: its kind shows that they are given back. */
  kind: 'invoice' | 'credit_note'
  /** `draft`: may still be made anew. `open` and `overdue` are to be paid. A credit note is `paid`: nothing is to be paid. */
  status: 'draft' | 'open' | 'paid' | 'overdue' | 'void'
  /** `reseller`: to one of its sub-clients. `operator`: to the reseller, by the operator of the installation. */
  issuer: 'reseller' | 'operator'
  /** To whom; null where it is to the reseller. */
  sub_client_id: string | null
  /** The month it is for. */
  period: string
  /** Of the month. */
  time_zone: string
  /** The month’s first instant. */
  from: string
  /** The first instant after it. */
  until: string
  /** A currency of ISO 4217. */
  currency: string
  /** Without taxes. In minor units of the currency. */
  subtotal_minor: number
  /** All taxes. In minor units of the currency. */
  tax_minor: number
  /** What was invoiced. In minor units of the currency. */
  total_minor: number
  /** Of it, what was paid. In minor units of the currency. */
  paid_minor: number
  /** Of it, what credit notes gave back. In minor units of the currency. */
  credited_minor: number
  /** What is still to be paid. In minor units of the currency. */
  amount_due_minor: number
  /** Of a credit note: what it corrects. */
  corrects: CorrectedInvoice | null
  /** When it was made. */
  drafted_at: string
  /** Of a draft: when it opens by itself. */
  opens_at: string | null
  /** When it was issued. */
  opened_at: string | null
  /** The day on which it is due, in its time zone. */
  due_date: string | null
  /** When nothing was left to pay. */
  paid_at: string | null
  /** When it was voided, or discarded as a draft. */
  voided_at: string | null
}

export type InvoiceTax = {
  tax_id: string
  name: string
  rate_percent: string
  /** UNCL5305: `S` standard, `Z` zero rated, `E` exempt, `AE` reverse charge, `O` outside the scope. */
  category: 'S' | 'Z' | 'E' | 'AE' | 'O'
  exemption_reason: string | null
  /** What it is charged on. In minor units of the currency. */
  taxable_minor: number
  /** Rounded half up once. In minor units of the currency. */
  amount_minor: number
}

export type InvoiceVoidRequest = {
  /** For the credit note that voids an invoice that was issued. */
  reason?: string | undefined
}

export type InvoicedSim = {
  sim_id: string
  iccid: string
}

export type ItemProblem = {
  code: string
  message: string
  details?: Record<string, unknown> | undefined
}

/** The newest run; null before the first. */
export type LatestSync = {
  success: true
  sync: Sync | null
}

export type MeterOverride = {
  /** What is counted. */
  meter: 'readings' | 'predictions' | 'device_days' | 'api_calls'
  /** Instead of that of the price list. Decimal text in major units, with at most 6 decimals. */
  price: string
}

export type MeterPrice = {
  /** What is counted. */
  meter: 'readings' | 'predictions' | 'device_days' | 'api_calls'
  /** Of `per` of them. Decimal text in major units, with at most 6 decimals. */
  price: string
  /** The price is for so many. */
  per: number
  /** Free in each month. */
  included: number
}

/** An account at an operator’s platform, without its credentials. */
export type OperatorConnection = {
  connection_id: string
  /** `cisco`: Cisco IoT Control Center. `airtel`: Airtel IoT platform. */
  operator: 'cisco' | 'airtel'
  /** For people. */
  name: string
  /** Whether it is synchronised, and actions go to it. */
  enabled: boolean
  /** Of the operator’s API, as its documents name it. https, and a public address. */
  base_url: string
  /** What the operator’s platform needs beside credentials, by operator; see the guide on SIMs. */
  settings: Record<string, string | number>
  /** Which credentials are stored. */
  credential_names: string[]
  /** A SIM stays in safe custody this long at least, for its fee; it may come out of it sooner. */
  custody_min_days: number
  /** And this long at most. */
  custody_max_days: number
  /** What becomes of a SIM whose safe custody ends by itself. */
  custody_on_expiry: 'suspend' | 'activate'
  /** For so long a termination can be taken back by activating the SIM. */
  termination_grace_days: number
  /** How often it is synchronised by itself. */
  sync_every_minutes: number
  /** Rate plan of its SIMs that no rate plan claims by the operator’s name of theirs, such as those found in safe custody; null: none. */
  default_plan_id: string | null
  /** SIMs of this connection, terminated ones included. */
  sim_count: number
  /** Everything that changed at the operator until then is known here. */
  synced_until: string | null
  /** When it was made. */
  created_at: string
  /** When it was last changed. */
  updated_at: string
}

/** The connection as it is now. */
export type OperatorConnectionAnswer = {
  success: true
  connection: OperatorConnection
}

export type OperatorConnectionCreate = {
  /** `cisco`: Cisco IoT Control Center. `airtel`: Airtel IoT platform. */
  operator: 'cisco' | 'airtel'
  /** For people. */
  name: string
  /** Of the operator’s API, as its documents name it. https, and a public address. */
  base_url: string
  /** By operator; see the guide on SIMs. Sealed at rest and never shown again. */
  credentials: Record<string, string>
  /** What the operator’s platform needs beside credentials, by operator; see the guide on SIMs. */
  settings?: Record<string, string | number> | undefined
  /** Whether it is synchronised, and actions go to it. Preset: `true`. */
  enabled?: boolean | undefined
  /** A SIM stays in safe custody this long at least, for its fee; it may come out of it sooner. Preset: `30`. */
  custody_min_days?: number | undefined
  /** And this long at most. Preset: `90`. */
  custody_max_days?: number | undefined
  /** What becomes of a SIM whose safe custody ends by itself. Preset: `suspend`. */
  custody_on_expiry?: 'suspend' | 'activate' | undefined
  /** For so long a termination can be taken back by activating the SIM. Preset: `5`. */
  termination_grace_days?: number | undefined
  /** How often it is synchronised by itself. Preset: `60`. */
  sync_every_minutes?: number | undefined
  /** Rate plan of its SIMs that no rate plan claims by the operator’s name of theirs, such as those found in safe custody; null: none. */
  default_plan_id?: string | null | undefined
}

/** It is forgotten. */
export type OperatorConnectionDeleted = {
  success: true
  connection_id: string
}

/** A page of connections. */
export type OperatorConnectionList = {
  /** How many there are on all pages, with the filters of this request. */
  total: number
  connections: OperatorConnection[]
  pagination: Pagination
}

/** What a call with these credentials brought. */
export type OperatorConnectionTest = {
  /** Whether the operator’s platform took the credentials and answered. */
  success: boolean
  /** What it answered; of a failure, what was wrong. */
  message: string
  duration_ms: number
}

/** What is left out stays. `credentials` and `settings` replace all of theirs. A `base_url` with another scheme, host or port needs the credentials again. */
export type OperatorConnectionUpdate = {
  /** For people. */
  name?: string | undefined
  /** Of the operator’s API, as its documents name it. https, and a public address. */
  base_url?: string | undefined
  /** By operator; see the guide on SIMs. Sealed at rest and never shown again. */
  credentials?: Record<string, string> | undefined
  /** What the operator’s platform needs beside credentials, by operator; see the guide on SIMs. */
  settings?: Record<string, string | number> | undefined
  /** Whether it is synchronised, and actions go to it. */
  enabled?: boolean | undefined
  /** A SIM stays in safe custody this long at least, for its fee; it may come out of it sooner. */
  custody_min_days?: number | undefined
  /** And this long at most. */
  custody_max_days?: number | undefined
  /** What becomes of a SIM whose safe custody ends by itself. */
  custody_on_expiry?: 'suspend' | 'activate' | undefined
  /** For so long a termination can be taken back by activating the SIM. */
  termination_grace_days?: number | undefined
  /** How often it is synchronised by itself. */
  sync_every_minutes?: number | undefined
  /** Rate plan of its SIMs that no rate plan claims by the operator’s name of theirs, such as those found in safe custody; null: none. */
  default_plan_id?: string | null | undefined
}

export type Pagination = {
  /** Give it as `after` to get the next page. */
  endCursor: string | null
  hasNextPage: boolean
}

export type PayRequest = {
  /** Left out: the one that was connected first and takes the amount. */
  gateway?: 'stripe' | 'razorpay' | undefined
  /** Where the gateway sends the browser afterwards, paid or not: https, or a page of this service. That it comes there proves nothing. Left out: the page of the invoice here. */
  return_url?: string | undefined
}

/** The payment that is open, and its invoice. */
export type Paying = {
  success: true
  payment: Payment
  invoice: InvoiceSummary
}

/** An attempt to pay an invoice at a gateway, and what became of it; or money that came in otherwise. */
export type Payment = {
  id: string
  invoice_id: string
  /** Who pays; null where it is the reseller. */
  sub_client_id: string | null
  /** Through which it is paid. Null where it came in outside of a gateway. */
  gateway: 'stripe' | 'razorpay' | null
  /** Of a payment that came in outside of a gateway, as the issuer of the invoice recorded it. Null of one at a gateway. */
  recorded: RecordedMoney | null
  /** `pending`: it may still be paid, and another payment of the invoice has to wait. A payment that ended may still become `paid`: some come through late. `reversed`: it was recorded by hand, and taken back. */
  status: 'pending' | 'paid' | 'failed' | 'expired' | 'canceled' | 'reversed'
  /** What is asked, in minor units. */
  amount: number
  /** ISO 4217. */
  currency: string
  /** Send the customer there. Null when it is over. */
  checkout_url: string | null
  /** When the checkout ends at the gateway. Null where there is none. */
  expires_at: string | null
  /** Why the last try failed, in the gateway’s words. */
  failure: string | null
  /** Since when the gateway refuses us or gives no answer about it. After 24 hours its issuer may abandon it. Null: it answered last. */
  unanswered_since: string | null
  /** When its issuer gave it up, where that was done. */
  abandoned_at: string | null
  /** What came in of it. */
  received: number
  /** Of that, what was given back or is on its way. */
  refunded: number
  /** Oldest first. Those made at the gateway’s own dashboard are in `refunded` only. */
  refunds: Refund[]
  /** Oldest first. */
  disputes: Dispute[]
  /** When it was begun. */
  created_at: string
  /** When it last changed. */
  updated_at: string
}

/** The payment as it is now. */
export type PaymentAnswer = {
  success: true
  payment: Payment
}

/** A page of payments. */
export type PaymentList = {
  /** How many there are on all pages, with the filters of this request. */
  total: number
  payments: Payment[]
  pagination: Pagination
}

export type PlanOverride = {
  /** Of the rate plan; never changes. */
  plan_id: string
  prices: PlanOverridePrices
}

export type PlanOverridePrices = {
  /** A month, active or suspended. Decimal text in major units, with at most 6 decimals. */
  rental?: string | undefined
  /** Of 1,048,576 bytes, beyond what is included. Decimal text in major units, with at most 6 decimals. */
  overage_per_megabyte?: string | undefined
  /** Once in the life of a SIM. Decimal text in major units, with at most 6 decimals. */
  activation_fee?: string | undefined
  /** A month in safe custody, instead of the rental. Decimal text in major units, with at most 6 decimals. */
  custody_fee?: string | undefined
}

export type PlanPrices = {
  /** A month, active or suspended. Decimal text in major units, with at most 6 decimals. */
  rental: string
  /** Of 1,048,576 bytes, beyond what is included. Decimal text in major units, with at most 6 decimals. */
  overage_per_megabyte: string
  /** Once in the life of a SIM. Decimal text in major units, with at most 6 decimals. */
  activation_fee: string
  /** A month in safe custody, instead of the rental. Decimal text in major units, with at most 6 decimals. */
  custody_fee: string
  /** A month. 1 MB is 1,048,576 bytes. Decimal text. */
  included_megabytes: string
  /** An earlier end of custody bears its fee for so many days. */
  custody_min_days: number
  /** The included data of all SIMs of a customer on this plan is one volume. */
  pooled: boolean
  /** Rental, included data and custody fee by days; else by whole months. */
  prorated: boolean
}

export type PriceList = {
  version: number
  /** The first month in which this version holds. */
  effective_from: string
  /** A month, whatever was used; not of sub-clients that were deactivated before it. Null: none. Decimal text in major units, with at most 6 decimals. */
  subscription_fee: string | null
  /** What is not here is free. */
  meters: MeterPrice[]
}

/** The newest version, and all of them. */
export type PriceListAnswer = {
  success: true
  /** The newest. Null: use of the platform is not billed. */
  price_list: PriceList | null
  /** Oldest first. */
  versions: PriceList[]
}

export type PriceListUpdate = {
  /** The first month in which it holds. Left out: the current one. A version that replaces another begins after the newest month of which invoices are issued. */
  effective_from?: string | undefined
  /** A month, whatever was used; not of sub-clients that were deactivated before it. Null: none. Decimal text in major units, with at most 6 decimals. */
  subscription_fee: string | null
  /** What is not here is free. */
  meters: readonly MeterPrice[]
}

export type RatePlan = {
  /** Of the rate plan; never changes. */
  plan_id: string
  version: number
  name: string
  operator_plan: string | null
  /** The first month in which this version holds. */
  effective_from: string
  /** Since when it is not meant for further SIMs. Those that have it are billed by it. */
  archived_at: string | null
  prices: PlanPrices
}

/** The newest version, and all of them. */
export type RatePlanAnswer = {
  success: true
  rate_plan: RatePlan
  /** All of them, oldest first. In a month the one with the newest `effective_from` up to it holds. */
  versions: RatePlan[]
}

export type RatePlanCreate = {
  /** URL-safe id; never changes. */
  plan_id: string
  /** As on invoices. */
  name: string
  /** The operator’s name of the plan. */
  operator_plan?: string | null | undefined
  /** The first month in which it holds. Left out: the current one. A version that replaces another begins after the newest month of which invoices are issued. */
  effective_from?: string | undefined
  prices: PlanPrices
}

/** The newest version of each, by id. */
export type RatePlanList = {
  total: number
  rate_plans: RatePlan[]
}

export type RatePlanUpdate = {
  /** As on invoices. */
  name?: string | undefined
  /** The operator’s name of the plan. */
  operator_plan?: string | null | undefined
  /** The first month in which it holds. Left out: the current one. A version that replaces another begins after the newest month of which invoices are issued. */
  effective_from?: string | undefined
  prices?: PlanPrices | undefined
}

export type RatingFailure = {
  sub_client_id: string
  message: string
}

export type RecordPaymentRequest = {
  /** What came in, in minor units: no more than is open. */
  amount_minor: number
  /** ISO 4217: that of the invoice. */
  currency: string
  /** How it came. `card_elsewhere`: by a card, through a terminal or a page that is not connected here. */
  method: 'bank_transfer' | 'direct_debit' | 'cash' | 'cheque' | 'card_elsewhere' | 'other'
  /** The day on which it came in, in the time zone of the invoice: today at the latest, and at most 366 days before the invoice was issued. */
  received_on: string
  /** As on the bank statement, in one line. */
  reference?: string | null | undefined
}

export type RecordedMoney = {
  /** How it came. `card_elsewhere`: by a card, through a terminal or a page that is not connected here. */
  method: 'bank_transfer' | 'direct_debit' | 'cash' | 'cheque' | 'card_elsewhere' | 'other'
  /** The day on which it came in, in the time zone of the invoice. */
  received_on: string
  /** As on the bank statement. */
  reference: string | null
  /** When it was taken back, because it was wrong or went back. */
  reversed_at: string | null
  /** Why it was taken back. */
  reversal_reason: string | null
}

/** The payment that was recorded, and its invoice as it is with it. */
export type RecordedPaymentAnswer = {
  success: true
  payment: Payment
  invoice: InvoiceSummary
}

export type Refund = {
  id: string
  /** `failed`: the customer has to get the money in another way. */
  status: 'pending' | 'succeeded' | 'failed' | 'canceled'
  /** `unapplied`: made by the service, because the invoice does not take the money. */
  origin: 'request' | 'unapplied'
  /** In minor units. */
  amount: number
  /** ISO 4217. */
  currency: string
  reason: string
  /** In the gateway’s words. */
  failure: string | null
  /** When it was asked for. */
  created_at: string
  /** When it last changed. */
  updated_at: string
}

export type RefundRequest = {
  /** In minor units. Left out: all that can be given back. */
  amount?: number | undefined
  /** For people; it is kept at the gateway too. */
  reason: string
}

export type ReversePaymentRequest = {
  /** For people; it is shown beside the payment. */
  reason: string
}

export type Sim = {
  id: string
  /** The same as `id`. */
  sim_id: string
  /** As the operator gives it: 18 to 20 digits, with or without its check digit. */
  iccid: string
  /** International mobile subscriber identity. */
  imsi: string | null
  /** Its number, digits only. M2M numbers may have 13. */
  msisdn: string | null
  /** Of an eUICC. */
  eid: string | null
  /** Of the device that the operator last saw it in. */
  imei: string | null
  /** The operator connection it came by. */
  connection_id: string
  operator: 'cisco' | 'airtel'
  /** `inventory`: bought, not active yet. `test`: on the operator’s free allowance. `suspended`: barred for now, the rental goes on. `safe_custody`: parked for some time at a lower fee. `terminating`: ends after a grace in which it can be taken back. `terminated`: final. */
  status: 'inventory' | 'test' | 'active' | 'suspended' | 'safe_custody' | 'terminating' | 'terminated'
  /** When it came into this state. */
  status_since: string
  /** What the operator is asked for at the moment. */
  pending_action: 'activate' | 'activate_test' | 'suspend' | 'safe_custody' | 'terminate' | 'expire_custody' | 'end_grace' | null
  /** Since when. */
  pending_since: string | null
  /** States that it can be brought to from here. */
  possible: ('inventory' | 'test' | 'active' | 'suspended' | 'safe_custody' | 'terminating' | 'terminated')[]
  /** The state as the operator spells it. */
  operator_status: string | null
  /** When the operator last reported something of it. */
  operator_synced_at: string | null
  /** `operator`: only the operator can lift it. */
  suspended_by: 'customer' | 'system' | 'operator' | null
  /** Why. */
  suspended_reason: string | null
  /** When safe custody ends by itself. */
  safe_custody_until: string | null
  /** Until when a termination can be taken back. */
  terminates_at: string | null
  /** The rate plan it is billed by. */
  plan_id: string | null
  /** The operator’s name of its plan. */
  rate_plan: string | null
  /** The operator’s name. */
  communication_plan: string | null
  /** Access point name. */
  apn: string | null
  /** Where the operator gives it a fixed one. */
  ip_address: string | null
  /** Whose it is. */
  sub_client_id: string | null
  /** Which device it is in. */
  device_id: string | null
  /** What that device is called. */
  device_name: string | null
  /** In the cycle so far, in megabytes of 1,048,576 bytes. */
  data_usage_mb: number
  /** In the cycle so far. */
  data_usage_bytes: number
  /** In the cycle so far. */
  sms_count: number
  /** In the cycle so far. */
  session_count: number
  /** What it should use at most in a cycle, in megabytes of 1,048,576 bytes. It is a mark for people; nothing is cut off at it. */
  data_limit_mb: number | null
  /** Of the operator’s cycle that the amounts are of. */
  cycle_start: string | null
  /** When the next one begins. */
  cycle_end: string | null
  /** When the operator last reported an amount. */
  usage_at: string | null
  /** When it was first active. */
  activated_at: string | null
  /** Yours to keep, 16 KiB of JSON at most. */
  metadata: Record<string, unknown>
  /** When it became known here. */
  created_at: string
  /** When something of it last changed. */
  updated_at: string
}

export type SimAction = {
  action_id: string
  sim_id: string
  action: 'activate' | 'activate_test' | 'suspend' | 'safe_custody' | 'terminate' | 'expire_custody' | 'end_grace'
  state: 'pending' | 'done' | 'failed'
  /** `inventory`: bought, not active yet. `test`: on the operator’s free allowance. `suspended`: barred for now, the rental goes on. `safe_custody`: parked for some time at a lower fee. `terminating`: ends after a grace in which it can be taken back. `terminated`: final. */
  status_from: 'inventory' | 'test' | 'active' | 'suspended' | 'safe_custody' | 'terminating' | 'terminated'
  /** `inventory`: bought, not active yet. `test`: on the operator’s free allowance. `suspended`: barred for now, the rental goes on. `safe_custody`: parked for some time at a lower fee. `terminating`: ends after a grace in which it can be taken back. `terminated`: final. */
  status_to: 'inventory' | 'test' | 'active' | 'suspended' | 'safe_custody' | 'terminating' | 'terminated'
  /** As it was given. */
  reason: string | null
  /** `operator`: it was found to be so there. `system`: a date came, or what it belongs to changed. */
  source: 'request' | 'system' | 'operator'
  /** The operator’s own name for it. */
  operator_job: string | null
  error: SimActionProblem | null
  /** When it was asked for. */
  requested_at: string
  /** When it was over. */
  settled_at: string | null
}

/** The SIM, with the action pending. `action` is null where the SIM was in that state already and nothing is to be done. */
export type SimActionAnswer = {
  success: true
  sim: Sim
  action: SimAction | null
}

/** A page of what was asked of the operator, newest first. */
export type SimActionList = {
  /** How many there are on all pages, with the filters of this request. */
  total: number
  actions: SimAction[]
  pagination: Pagination
}

export type SimActionProblem = {
  /** `rejected`, `auth`, `not_found`, `timed_out`, `outcome_unknown` */
  code: string
  /** In the operator’s words where it gave some. */
  message: string
}

/** Also resumes a SIM that is suspended, in safe custody, or terminating. */
export type SimActivate = {
  /** `test`: on the operator’s free allowance, where it has one. Preset: `live`. */
  mode?: 'live' | 'test' | undefined
  /** The operator’s plan that it is to have; left out: the one it has, or had before safe custody. */
  rate_plan?: string | undefined
  /** For people; it stands in the history. */
  reason?: string | undefined
}

/** What is odd about a SIM at present. */
export type SimAnomalies = {
  /** Newest first; one of each type at most. */
  anomalies: SimAnomaly[]
}

export type SimAnomaly = {
  /** `wrong_device`: the operator sees it in another device. `usage_above_habit`: it uses far more than it did. `traffic_in_custody`: it has traffic while it is parked. */
  type: 'wrong_device' | 'usage_above_habit' | 'traffic_in_custody'
  /** One sentence that names what was seen and what was expected. */
  message: string
  /** What was seen: amounts in bytes, IMEIs. */
  evidence: Record<string, unknown>
  /** When it was first seen. */
  opened_at: string
  /** When it was last seen. */
  last_seen_at: string
}

/** The SIM as it is now. */
export type SimAnswer = {
  success: true
  sim: Sim
}

export type SimBulk = {
  sim_ids: readonly string[]
  action: 'activate' | 'suspend' | 'safe_custody' | 'terminate'
  /** `test`: on the operator’s free allowance, where it has one. Preset: `live`. */
  mode?: 'live' | 'test' | undefined
  /** The operator’s plan that it is to have; left out: the one it has, or had before safe custody. */
  rate_plan?: string | undefined
  /** When it is to end by itself. */
  until?: string | undefined
  /** The same, in days from now. Left out: as long as the connection allows. */
  days?: number | undefined
  /** For people; it stands in the history. */
  reason?: string | undefined
}

/** What became of each. */
export type SimBulkAnswer = {
  /** Whether every SIM was taken. */
  success: boolean
  /** For which the operator is asked. */
  accepted: number
  /** That were in that state already. */
  unchanged: number
  /** See their error. */
  refused: number
  /** One for each of `sim_ids`, in their order. */
  results: SimBulkResult[]
}

export type SimBulkResult = {
  /** In `sim_ids`. */
  index: number
  /** Of the SIM that was found. */
  sim_id: string | null
  status: 'accepted' | 'unchanged' | 'refused'
  /** Of one that was accepted. */
  action_id: string | null
  error: ItemProblem | null
}

/** A SIM that was bought and is not known yet. It begins in `inventory`, until the operator reports otherwise. */
export type SimCreate = {
  /** The operator connection it belongs to. */
  connection_id: string
  /** 18 to 20 digits. Of 20, the last is the check digit. */
  iccid: string
  imsi?: string | null | undefined
  /** Digits only. */
  msisdn?: string | null | undefined
  /** The operator’s name of its plan. */
  rate_plan?: string | null | undefined
  /** Device id or IMEI; null takes it out. A device has one SIM. */
  device_id?: string | null | undefined
  /** Whose it is: that of its device, where it is in one. Null: nobody’s. */
  sub_client_id?: string | null | undefined
  /** The rate plan it is billed by; null: none. */
  plan_id?: string | null | undefined
  /** What it should use at most in a cycle, in megabytes of 1,048,576 bytes. It is a mark for people; nothing is cut off at it. */
  data_limit_mb?: number | null | undefined
  /** Yours to keep, 16 KiB of JSON at most. */
  metadata?: Record<string, unknown> | undefined
}

/** The operator’s cycle that runs, cumulative. */
export type SimCycleUsage = {
  /** Null: the operator has reported nothing yet. */
  start: string | null
  /** When the next one begins. */
  end: string | null
  /** Megabytes of 1,048,576 bytes. */
  data_usage_mb: number
  /** Bytes. */
  data_usage_bytes: number
  /** Messages. */
  sms_count: number
  /** Sessions. */
  session_count: number
  /** When the operator last reported an amount. */
  usage_at: string | null
}

export type SimDayUsage = {
  /** In the time zone of the reseller. */
  date: string
  /** Megabytes of 1,048,576 bytes. */
  data_usage_mb: number
  /** Bytes. */
  data_usage_bytes: number
}

/** A page of what happened to a SIM, newest first. */
export type SimHistory = {
  /** How many there are on all pages, with the filters of this request. */
  total: number
  history: SimHistoryEntry[]
  pagination: Pagination
}

/** The whole state after a change. */
export type SimHistoryEntry = {
  /** Counts the changes of this SIM. */
  seq: number
  /** When it was known here. Billing uses it. */
  at: string
  /** What changed. */
  change: 'created' | 'status' | 'allocation' | 'plan' | 'details'
  /** `inventory`: bought, not active yet. `test`: on the operator’s free allowance. `suspended`: barred for now, the rental goes on. `safe_custody`: parked for some time at a lower fee. `terminating`: ends after a grace in which it can be taken back. `terminated`: final. */
  status: 'inventory' | 'test' | 'active' | 'suspended' | 'safe_custody' | 'terminating' | 'terminated'
  /** Whose it was from then on. */
  sub_client_id: string | null
  /** Which device it was in from then on. */
  device_id: string | null
  /** The rate plan from then on. */
  plan_id: string | null
  /** `operator`: it was found to be so there. `system`: a date came, or what it belongs to changed. */
  source: 'request' | 'system' | 'operator'
  /** A key, a user, the system, or the operator. */
  actor_type: string
  /** Which one; of the operator, its connection. */
  actor_id: string
  /** Why. */
  reason: string | null
  /** The action that brought it. */
  action_id: string | null
}

/** A page of SIMs. */
export type SimList = {
  /** How many there are on all pages, with the filters of this request. */
  total: number
  sims: Sim[]
  pagination: Pagination
}

export type SimSafeCustody = {
  /** When it is to end by itself. */
  until?: string | undefined
  /** The same, in days from now. Left out: as long as the connection allows. */
  days?: number | undefined
  /** For people; it stands in the history. */
  reason?: string | undefined
}

export type SimSuspend = {
  /** For people; it stands in the history. */
  reason?: string | undefined
}

export type SimTerminate = {
  /** For people; it stands in the history. */
  reason?: string | undefined
}

/** What is left out stays; null clears. */
export type SimUpdate = {
  /** Device id or IMEI; null takes it out. A device has one SIM. */
  device_id?: string | null | undefined
  /** Whose it is: that of its device, where it is in one. Null: nobody’s. */
  sub_client_id?: string | null | undefined
  /** The rate plan it is billed by; null: none. */
  plan_id?: string | null | undefined
  /** What it should use at most in a cycle, in megabytes of 1,048,576 bytes. It is a mark for people; nothing is cut off at it. */
  data_limit_mb?: number | null | undefined
  /** Yours to keep, 16 KiB of JSON at most. */
  metadata?: Record<string, unknown> | undefined
}

/** What a SIM used. */
export type SimUsage = {
  sim_id: string
  /** Of the reseller, by which days begin. */
  time_zone: string
  cycle: SimCycleUsage
  /** By the day on which the operator reported it; days without any are 0. */
  daily: SimDayUsage[]
}

/** A run of the synchronisation. */
export type Sync = {
  id: string
  /** `partial`: some SIMs or connections could not be synchronised; see `errors`. `failed`: none could. */
  status: 'running' | 'completed' | 'partial' | 'failed'
  /** `sims`: which SIMs there are, and their states. `usage`: what they used in the cycle that runs. `invoices`: drafts of months that are over, which are made within seconds after the answer. `all` of these. */
  scope: 'all' | 'sims' | 'usage' | 'invoices'
  full: boolean
  /** The only connection that is asked; null: all that are enabled. */
  connection_id: string | null
  /** When it was asked for. */
  started_at: string
  /** When it was over. */
  finished_at: string | null
  sims: SyncedSims
  usage: SyncedUsage
  /** The first hundred. */
  errors: SyncProblem[]
}

/** The run when it was over, or after ten seconds as far as it is: ask `GET /sync/{id}` then. */
export type SyncAnswer = {
  success: true
  sync: Sync
  /** It was asked for before, and this is that run: there is one at a time. */
  already_running: boolean
}

export type SyncProblem = {
  /** Null where it is about a whole connection. */
  iccid: string | null
  connection_id: string | null
  /** `auth`, `rate`, `not_found`, `rejected` or `unavailable`, as the operator answered; `refused`: a row that cannot be used. */
  code: string
  message: string
}

export type SyncRequest = {
  /** `sims`: which SIMs there are, and their states. `usage`: what they used in the cycle that runs. `invoices`: drafts of months that are over, which are made within seconds after the answer. `all` of these. Preset: `all`. */
  scope?: 'all' | 'sims' | 'usage' | 'invoices' | undefined
  /** Every SIM, not only those that changed at the operator since the last time. Preset: `false`. */
  full?: boolean | undefined
  /** Only these, by id or ICCID. */
  sim_ids?: readonly string[] | undefined
  /** Only this connection. */
  connection_id?: string | undefined
}

/** The run as far as it is. */
export type SyncShown = {
  success: true
  sync: Sync
}

export type SyncedSims = {
  /** That the operators listed. */
  seen: number
  /** That were not known. */
  created: number
  /** That had changed. */
  updated: number
  /** That were as they are known. */
  unchanged: number
  /** Of which the operator’s answer could not be used, or came not at all. */
  failed: number
}

export type SyncedUsage = {
  /** SIMs whose counters rose. */
  updated: number
}

export type ListOperatorConnectionsQuery = {
  /** Most items in the answer. Preset: `100`. */
  limit?: number | undefined
  /** `pagination.endCursor` of the page before. */
  after?: string | undefined
}

export type ListSimsQuery = {
  /** `inventory`: bought, not active yet. `test`: on the operator’s free allowance. `suspended`: barred for now, the rental goes on. `safe_custody`: parked for some time at a lower fee. `terminating`: ends after a grace in which it can be taken back. `terminated`: final. */
  status?: 'inventory' | 'test' | 'active' | 'suspended' | 'safe_custody' | 'terminating' | 'terminated' | undefined
  /** Only what belongs to this sub-client. */
  sub_client_id?: string | undefined
  /** Only the SIM in this device. */
  device_id?: string | undefined
  /** Only SIMs of this operator connection. */
  connection_id?: string | undefined
  /** Digits that stand anywhere in the ICCID, the number or the IMSI. */
  search?: string | undefined
  /** Most items in the answer. Preset: `100`. */
  limit?: number | undefined
  /** `pagination.endCursor` of the page before. */
  after?: string | undefined
}

export type ListSimHistoryQuery = {
  /** Most items in the answer. Preset: `100`. */
  limit?: number | undefined
  /** `pagination.endCursor` of the page before. */
  after?: string | undefined
}

export type GetSimUsageQuery = {
  /** First day; left out: 30 days before `to`. */
  from?: string | undefined
  /** Last day; left out: today. At most 400 days after `from`. */
  to?: string | undefined
}

export type ListSimActionsQuery = {
  /** Most items in the answer. Preset: `100`. */
  limit?: number | undefined
  /** `pagination.endCursor` of the page before. */
  after?: string | undefined
}

export type ListInvoicesQuery = {
  /** `draft`: may still be made anew. `open` and `overdue` are to be paid. A credit note is `paid`: nothing is to be paid. */
  status?: 'draft' | 'open' | 'paid' | 'overdue' | 'void' | undefined
  /** Only of this month. */
  period?: string | undefined
  /** Only to this sub-client. */
  sub_client_id?: string | undefined
  /** A credit note has positive amounts: its kind shows that they are given back. */
  kind?: 'invoice' | 'credit_note' | undefined
  /** `reseller`: to one of its sub-clients. `operator`: to the reseller, by the operator of the installation. */
  issuer?: 'reseller' | 'operator' | undefined
  /** Most items in the answer. Preset: `100`. */
  limit?: number | undefined
  /** `pagination.endCursor` of the page before. */
  after?: string | undefined
}

export type ListPaymentsQuery = {
  /** Only of this invoice. */
  invoice_id?: string | undefined
  /** `pending`: it may still be paid, and another payment of the invoice has to wait. A payment that ended may still become `paid`: some come through late. `reversed`: it was recorded by hand, and taken back. */
  status?: 'pending' | 'paid' | 'failed' | 'expired' | 'canceled' | 'reversed' | undefined
  /** Most items in the answer. Preset: `100`. */
  limit?: number | undefined
  /** `pagination.endCursor` of the page before. */
  after?: string | undefined
}

/** SIMs, invoices and payments. */
export interface Api {
  readonly operatorConnections: {
    /**
     * List operator connections, oldest first.
     * Empty for a key of one sub-client.
     *
     * `GET /api/sim-billing/operator-connections`; scope `billing:read`
     */
    list(query?: ListOperatorConnectionsQuery, options?: RequestOptions): Promise<OperatorConnectionList>
    /** The items of every page of `list`, fetched as they are read. `limit` is the length of a page. */
    iterate(query?: ListOperatorConnectionsQuery, options?: RequestOptions): AsyncGenerator<OperatorConnection, void, undefined>
    /**
     * Connect an account at an operator’s platform.
     * Nothing is asked of the operator yet: test the connection, then synchronise.
     *
     * `POST /api/sim-billing/operator-connections`; scope `*`
     */
    create(body: OperatorConnectionCreate, options?: WriteOptions): Promise<OperatorConnectionAnswer>
    /**
     * Get one operator connection.
     *
     * `GET /api/sim-billing/operator-connections/{connection_id}`; scope `billing:read`
     */
    get(connectionId: string, options?: RequestOptions): Promise<OperatorConnectionAnswer>
    /**
     * Change an operator connection.
     *
     * `PUT /api/sim-billing/operator-connections/{connection_id}`; scope `*`
     */
    update(connectionId: string, body: OperatorConnectionUpdate, options?: RequestOptions): Promise<OperatorConnectionAnswer>
    /**
     * Forget an operator connection that never had a SIM.
     *
     * `DELETE /api/sim-billing/operator-connections/{connection_id}`; scope `*`
     */
    delete(connectionId: string, options?: RequestOptions): Promise<OperatorConnectionDeleted>
    /**
     * Try an operator connection.
     * Enabled or not. Asks the operator for the least that proves the credentials; changes nothing. It takes up to half a minute.
     *
     * `POST /api/sim-billing/operator-connections/{connection_id}/test`; scope `*`
     */
    test(connectionId: string, options?: WriteOptions): Promise<OperatorConnectionTest>
  }
  readonly sims: {
    /**
     * List SIMs, those known longest first.
     *
     * `GET /api/sim-billing/sims`; scope `billing:read`
     */
    list(query?: ListSimsQuery, options?: RequestOptions): Promise<SimList>
    /** The items of every page of `list`, fetched as they are read. `limit` is the length of a page. */
    iterate(query?: ListSimsQuery, options?: RequestOptions): AsyncGenerator<Sim, void, undefined>
    /**
     * Make a SIM known that was bought.
     * Synchronising with the operator does it for every SIM of the account; this is for one that is not there yet.
     *
     * `POST /api/sim-billing/sims`; scope `billing:write`
     */
    create(body: SimCreate, options?: WriteOptions): Promise<SimAnswer>
    /**
     * Get one SIM by its id, ICCID or number.
     *
     * `GET /api/sim-billing/sims/{sim}`; scope `billing:read`
     */
    get(sim: string, options?: RequestOptions): Promise<SimAnswer>
    /**
     * Set whose a SIM is, in which device, and by which plan it is billed.
     * A SIM and its device are of one sub-client: a SIM of nobody that is put into a device goes to whoever has the device, and goes where the device goes.
     *
     * `PUT /api/sim-billing/sims/{sim}`; scope `billing:write`
     */
    update(sim: string, body: SimUpdate, options?: RequestOptions): Promise<SimAnswer>
    /**
     * List what happened to a SIM, newest first.
     * To a key of one sub-client, what happened while that sub-client had it.
     *
     * `GET /api/sim-billing/sims/{sim}/history`; scope `billing:read`
     */
    listHistory(sim: string, query?: ListSimHistoryQuery, options?: RequestOptions): Promise<SimHistory>
    /** The items of every page of `listHistory`, fetched as they are read. `limit` is the length of a page. */
    iterateHistory(sim: string, query?: ListSimHistoryQuery, options?: RequestOptions): AsyncGenerator<SimHistoryEntry, void, undefined>
    /**
     * Get what a SIM used, in the operator’s cycle and by day.
     *
     * `GET /api/sim-billing/sims/{sim}/usage`; scope `billing:read`
     */
    getUsage(sim: string, query?: GetSimUsageQuery, options?: RequestOptions): Promise<SimUsage>
    /**
     * List what is odd about a SIM at present.
     * To a key of one sub-client, what was first seen while that sub-client had it.
     *
     * `GET /api/sim-billing/sims/{sim}/anomalies`; scope `billing:read`
     */
    listAnomalies(sim: string, options?: RequestOptions): Promise<SimAnomalies>
    /**
     * Activate a SIM, or resume it.
     * Out of inventory and test, suspension, safe custody, and a termination within its grace, which takes it back to what it was before. What the operator suspended is lifted by the operator alone. The answer comes at once; `sim.state.changed` reports when the operator has done it.
     *
     * `POST /api/sim-billing/sims/{sim}/activate`; scope `billing:write`
     */
    activate(sim: string, body?: SimActivate, options?: WriteOptions): Promise<SimActionAnswer>
    /**
     * Suspend a SIM.
     * Bars it for now. The subscription and its rental go on.
     *
     * `POST /api/sim-billing/sims/{sim}/suspend`; scope `billing:write`
     */
    suspend(sim: string, body?: SimSuspend, options?: WriteOptions): Promise<SimActionAnswer>
    /**
     * Put a SIM into safe custody.
     * Parks it for some time at a lower fee; its number and address are kept. It ends by itself, or by activating the SIM.
     *
     * `POST /api/sim-billing/sims/{sim}/safe-custody`; scope `billing:write`
     */
    safeCustody(sim: string, body?: SimSafeCustody, options?: WriteOptions): Promise<SimActionAnswer>
    /**
     * Terminate a SIM.
     * It is barred, and final after the grace of its connection. Until then `activate` takes it back.
     *
     * `POST /api/sim-billing/sims/{sim}/terminate`; scope `billing:write`
     */
    terminate(sim: string, body?: SimTerminate, options?: WriteOptions): Promise<SimActionAnswer>
    /**
     * Do the same with up to 500 SIMs.
     * Each is judged by itself, and has a result; one that is refused keeps none of the others back.
     *
     * `POST /api/sim-billing/sims/bulk`; scope `billing:write`
     */
    bulk(body: SimBulk, options?: WriteOptions): Promise<SimBulkAnswer>
    /**
     * List what was asked of the operator for a SIM, newest first.
     * With what became of it. To a key of one sub-client, what was asked while that sub-client had the SIM.
     *
     * `GET /api/sim-billing/sims/{sim}/actions`; scope `billing:read`
     */
    listActions(sim: string, query?: ListSimActionsQuery, options?: RequestOptions): Promise<SimActionList>
    /** The items of every page of `listActions`, fetched as they are read. `limit` is the length of a page. */
    iterateActions(sim: string, query?: ListSimActionsQuery, options?: RequestOptions): AsyncGenerator<SimAction, void, undefined>
  }
  readonly sync: {
    /**
     * Synchronise with the operators’ platforms.
     * One run at a time of each reseller: asked for again meanwhile, it answers that one. It goes on by itself when this answer is given, also in another process.
     *
     * `POST /api/sim-billing/sync`; scope `billing:write`
     */
    start(body?: SyncRequest, options?: WriteOptions): Promise<SyncAnswer>
    /**
     * Get the newest run of the synchronisation.
     *
     * `GET /api/sim-billing/sync`; scope `billing:read`
     */
    getLatest(options?: RequestOptions): Promise<LatestSync>
    /**
     * Get a run of the synchronisation.
     *
     * `GET /api/sim-billing/sync/{sync_id}`; scope `billing:read`
     */
    get(syncId: string, options?: RequestOptions): Promise<SyncShown>
  }
  readonly billingSettings: {
    /**
     * Who issues invoices, and how.
     *
     * `GET /api/sim-billing/billing-settings`; scope `billing:read`
     */
    get(options?: RequestOptions): Promise<BillingSettingsAnswer>
    /**
     * Set billing up, or change how it is done.
     * What is left out stays as it is. The first time, `currency` and `issuer` have to be given; from that month on, a draft is made of every month of every sub-client a day after its end. The currency stays as soon as there is an invoice, and a tax as long as a sub-client names it in its `tax_ids`: else 409.
     *
     * `PUT /api/sim-billing/billing-settings`; scope `billing:write`
     */
    put(body: BillingSettingsUpdate, options?: RequestOptions): Promise<BillingSettingsAnswer>
  }
  readonly priceList: {
    /**
     * Prices of the platform itself.
     *
     * `GET /api/sim-billing/price-list`; scope `billing:read`
     */
    get(options?: RequestOptions): Promise<PriceListAnswer>
    /**
     * Set prices of the platform from a month on.
     * Adds a version, unless it has the prices that hold in its month already. In a month the one with the newest `effective_from` up to it holds. Its month is after the newest one of which invoices are issued and not void: else 409, with the `earliest` month in its details.
     *
     * `PUT /api/sim-billing/price-list`; scope `billing:write`
     */
    put(body: PriceListUpdate, options?: RequestOptions): Promise<PriceListAnswer>
  }
  readonly customers: {
    /**
     * How a sub-client is billed.
     * One that was never set up is billed by the terms of the settings, with a party made of its record.
     *
     * `GET /api/sim-billing/customers/{sub_client_id}`; scope `billing:read`
     */
    get(subClientId: string, options?: RequestOptions): Promise<BillingCustomerAnswer>
    /**
     * Change how a sub-client is billed.
     * What is left out stays as it is. It acts on drafts that are made from now on.
     *
     * `PUT /api/sim-billing/customers/{sub_client_id}`; scope `billing:write`
     */
    put(subClientId: string, body: BillingCustomerUpdate, options?: RequestOptions): Promise<BillingCustomerAnswer>
  }
  readonly ratePlans: {
    /**
     * List rate plans of SIMs.
     *
     * `GET /api/sim-billing/rate-plans`; scope `billing:read`
     */
    list(options?: RequestOptions): Promise<RatePlanList>
    /**
     * Create a rate plan.
     *
     * `POST /api/sim-billing/rate-plans`; scope `billing:write`
     */
    create(body: RatePlanCreate, options?: WriteOptions): Promise<RatePlanAnswer>
    /**
     * Get a rate plan with its versions.
     *
     * `GET /api/sim-billing/rate-plans/{plan_id}`; scope `billing:read`
     */
    get(planId: string, options?: RequestOptions): Promise<RatePlanAnswer>
    /**
     * Change a rate plan from a month on.
     * Adds a version, unless nothing changes by it; what is left out stays as it is, prices as they hold in its month. An archived plan is in use again. Its month is after the newest one of which invoices are issued and not void: else 409, with the `earliest` month in its details.
     *
     * `PUT /api/sim-billing/rate-plans/{plan_id}`; scope `billing:write`
     */
    put(planId: string, body: RatePlanUpdate, options?: RequestOptions): Promise<RatePlanAnswer>
    /**
     * Archive a rate plan.
     * It is not meant for further SIMs; those that have it are billed by it. Repeating it is fine.
     *
     * `DELETE /api/sim-billing/rate-plans/{plan_id}`; scope `billing:write`
     */
    archive(planId: string, options?: RequestOptions): Promise<RatePlanAnswer>
  }
  readonly invoices: {
    /**
     * List invoices and credit notes, newest first.
     * Those that the reseller issued to its sub-clients, and those that it was sent by the operator of the installation. A key of one sub-client gets its own that were issued.
     *
     * `GET /api/sim-billing/invoices`; scope `billing:read`
     */
    list(query?: ListInvoicesQuery, options?: RequestOptions): Promise<InvoiceList>
    /** The items of every page of `list`, fetched as they are read. `limit` is the length of a page. */
    iterate(query?: ListInvoicesQuery, options?: RequestOptions): AsyncGenerator<InvoiceSummary, void, undefined>
    /**
     * Get an invoice with its lines, taxes and payments.
     *
     * `GET /api/sim-billing/invoices/{invoice_id}`; scope `billing:read`
     */
    get(invoiceId: string, options?: RequestOptions): Promise<InvoiceAnswer>
    /**
     * Draft the invoices of a month.
     * Months are drafted by themselves. This is for a month before billing was set up, for one that was discarded or voided, and with `replace` for drafts whose prices, terms or usage were corrected: they are rated anew, keep their id and get a new grace. What was issued is never changed. A sub-client that was created after the month is billed for it only where `sub_client_id` names it.
     *
     * `POST /api/sim-billing/invoices/draft`; scope `billing:write`
     */
    draft(body: InvoiceDraftRequest, options?: WriteOptions): Promise<InvoiceDraftAnswer>
    /**
     * Open a draft before its grace is over.
     * One that is open is answered as it is. One that is paid, overdue or void cannot be opened.
     *
     * `POST /api/sim-billing/invoices/{invoice_id}/open`; scope `billing:write`
     */
    open(invoiceId: string, options?: WriteOptions): Promise<InvoiceAnswer>
    /**
     * Discard a draft, or void an invoice that nobody has paid.
     * A draft takes no number. An invoice that was issued keeps its own and is voided by a credit note over everything. The month can be drafted again. One of which something is paid is corrected by a credit note instead; when it is credited in full and the money went back, it is voided so that its month can be drafted again, as is one that came to nothing. One that is void is answered as it is.
     *
     * `POST /api/sim-billing/invoices/{invoice_id}/void`; scope `billing:write`
     */
    void(invoiceId: string, body?: InvoiceVoidRequest, options?: WriteOptions): Promise<InvoiceAnswer>
    /**
     * Correct an invoice that was issued by a credit note.
     * Of some lines, or of everything that is not credited yet, with its taxes. What a gateway took of it is refunded; what came in otherwise is `unapplied_minor` of the invoice, and is given back by its issuer.
     *
     * `POST /api/sim-billing/invoices/{invoice_id}/credit-notes`; scope `billing:write`
     */
    createCreditNote(invoiceId: string, body: CreditNoteRequest, options?: WriteOptions): Promise<CreditNoteAnswer>
    /**
     * The invoice as PDF.
     *
     * `GET /api/sim-billing/invoices/{invoice_id}/pdf`; scope `billing:read`
     */
    getPdf(invoiceId: string, options?: RequestOptions): Promise<Uint8Array<ArrayBuffer>>
    /**
     * The invoice as e-invoice (EN 16931, UBL 2.1).
     * Of an invoice or credit note that was issued and is not void.
     *
     * `GET /api/sim-billing/invoices/{invoice_id}/xml`; scope `billing:read`
     */
    getXml(invoiceId: string, options?: RequestOptions): Promise<string>
    /**
     * The lines of the invoice as CSV.
     *
     * `GET /api/sim-billing/invoices/{invoice_id}/csv`; scope `billing:read`
     */
    getCsv(invoiceId: string, options?: RequestOptions): Promise<string>
    /**
     * Everything an invoice or credit note was made from, signed.
     * For its issuer, who may hand it on: `npx roadworthy verify-invoice` rates the month again from it, without the service. It holds prices and margin. Of a credit note it holds the invoice that it corrects, the notes before it and what was asked. The key is that of usage statements.
     *
     * `GET /api/sim-billing/invoices/{invoice_id}/statement`; scope `billing:read`
     */
    getStatement(invoiceId: string, options?: RequestOptions): Promise<InvoiceStatement>
    /**
     * Open a payment of an invoice at a gateway.
     * Of what is due now, in the currency of the invoice. Send the customer to `checkout_url`. One payment of an invoice may be open at a time: asking again gives the same one, until it ends. Another gateway, or another amount that is due, ends it at its gateway first. The reseller pays what it was sent by the operator of the installation, and may open payments for its sub-clients; a key of one sub-client pays its own.
     *
     * `POST /api/sim-billing/invoices/{invoice_id}/pay`; scope `billing:write`
     */
    pay(invoiceId: string, body?: PayRequest, options?: WriteOptions): Promise<Paying>
    /**
     * Record a payment that came in outside of a gateway.
     * By the issuer of the invoice: a bank transfer, cash. A part may be paid; more than is open is 409 with what is open, because the service cannot give the rest back. The invoice is paid when nothing is left. A checkout that is open for more than is due then is ended.
     *
     * `POST /api/sim-billing/invoices/{invoice_id}/payments`; scope `billing:write`
     */
    recordPayment(invoiceId: string, body: RecordPaymentRequest, options?: WriteOptions): Promise<RecordedPaymentAnswer>
    /**
     * Take back a payment that was recorded.
     * By the issuer of the invoice: it was entered twice, the bank returned it, or it was given back. It stays in the list as `reversed`, is booked back, and what it had paid is due again. One that was taken back is answered as it is. A payment at a gateway is given back by a refund.
     *
     * `POST /api/sim-billing/invoices/{invoice_id}/payments/{payment_id}/reverse`; scope `billing:write`
     */
    reversePayment(invoiceId: string, paymentId: string, body: ReversePaymentRequest, options?: WriteOptions): Promise<RecordedPaymentAnswer>
  }
  readonly gatewayConnections: {
    /**
     * List connections to payment gateways, oldest first.
     * Empty for a key of one sub-client.
     *
     * `GET /api/sim-billing/gateway-connections`; scope `*`
     */
    list(options?: RequestOptions): Promise<GatewayConnectionList>
    /**
     * Connect an account at a payment gateway.
     * Nothing is asked of the gateway yet: enter `callback_url` there, then test the connection.
     *
     * `POST /api/sim-billing/gateway-connections`; scope `*`
     */
    create(body: GatewayConnectionCreate, options?: WriteOptions): Promise<GatewayConnectionAnswer>
    /**
     * Get one connection to a payment gateway.
     * With the address to enter at the gateway for its callbacks. Credentials are never shown.
     *
     * `GET /api/sim-billing/gateway-connections/{connection_id}`; scope `*`
     */
    get(connectionId: string, options?: RequestOptions): Promise<GatewayConnectionAnswer>
    /**
     * Change a connection to a payment gateway.
     * A webhook secret that is replaced stays valid for three days, because the gateway repeats what it signed with it. Another key has to be of the same account: once a payment was begun, the gateway is asked with it whether it knows that one, and another account is 409.
     *
     * `PUT /api/sim-billing/gateway-connections/{connection_id}`; scope `*`
     */
    update(connectionId: string, body: GatewayConnectionUpdate, options?: RequestOptions): Promise<GatewayConnectionAnswer>
    /**
     * Forget a connection to a payment gateway.
     * Refused while payments, refunds or disputes of it are under way, and for five days after a payment came to nothing, because it may be paid late. Afterwards its callbacks are refused, so that refunds and disputes of old payments are not seen any more: switching it off is mostly what is wanted.
     *
     * `DELETE /api/sim-billing/gateway-connections/{connection_id}`; scope `*`
     */
    delete(connectionId: string, options?: RequestOptions): Promise<GatewayConnectionDeleted>
    /**
     * Ask the gateway something that moves no money.
     *
     * `POST /api/sim-billing/gateway-connections/{connection_id}/test`; scope `*`
     */
    test(connectionId: string, options?: WriteOptions): Promise<GatewayConnectionTest>
  }
  readonly payments: {
    /**
     * List payments, newest first.
     * At gateways, and those that were recorded by hand (`recorded`).
     *
     * `GET /api/sim-billing/payments`; scope `billing:read`
     */
    list(query?: ListPaymentsQuery, options?: RequestOptions): Promise<PaymentList>
    /** The items of every page of `list`, fetched as they are read. `limit` is the length of a page. */
    iterate(query?: ListPaymentsQuery, options?: RequestOptions): AsyncGenerator<Payment, void, undefined>
    /**
     * Get one payment with its refunds and disputes.
     *
     * `GET /api/sim-billing/payments/{payment_id}`; scope `billing:read`
     */
    get(paymentId: string, options?: RequestOptions): Promise<PaymentAnswer>
    /**
     * Give back what was paid, or a part of it.
     * By the issuer of the invoice. It is made at the gateway within seconds, and repeated until the gateway has it; an invoice that was paid by it is due again. Credit the invoice first where that is not meant.
     *
     * `POST /api/sim-billing/payments/{payment_id}/refund`; scope `billing:write`
     */
    refund(paymentId: string, body: RefundRequest, options?: WriteOptions): Promise<PaymentAnswer>
    /**
     * Give up a payment whose gateway gives no answer.
     * By the issuer of the invoice, so that it can be paid in another way: for a payment that is `pending` and whose gateway has refused us or not answered for 24 hours (`unanswered_since`). The gateway is asked once more; where it answers, its answer counts, and the answer is 409. Money that comes of it later after all is booked, and given back where the invoice does not take it.
     *
     * `POST /api/sim-billing/payments/{payment_id}/abandon`; scope `billing:write`
     */
    abandon(paymentId: string, body: AbandonRequest, options?: WriteOptions): Promise<PaymentAnswer>
  }
}
