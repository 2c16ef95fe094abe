# Written by `npm run openapi` from docs/openapi/sim-billing.json. Changes belong there.
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict


class AbandonRequest(TypedDict):
    reason: str
    """For people; it is in `failure`, the event and the audit log."""


class BillingCustomer(TypedDict):
    sub_client_id: str
    """A sub-client of this reseller."""
    enabled: bool
    """Whether it is billed."""
    party: BillingParty
    margin_percent: str | None
    """Null: the default margin. Decimal text, with at most 4 decimals."""
    tax_ids: list[str] | None
    """Taxes that it bears. Null: all."""
    payment_terms_days: int | None
    """Null: as in the settings."""
    buyer_reference: str | None
    """Its own reference, as on a purchase order."""
    plan_overrides: list[PlanOverride]
    """Prices of plans for this customer, instead of the plan’s own and without margin."""
    subscription_fee: str | None
    """Instead of that of the price list. Null: that. Decimal text in major units, with at most 6 decimals."""
    meter_overrides: list[MeterOverride]


class BillingCustomerAnswer(TypedDict):
    """How the sub-client is billed."""
    success: Literal[True]
    customer: BillingCustomer


class BillingCustomerUpdate(TypedDict, total=False):
    enabled: bool
    """Whether it is billed."""
    party: BillingParty
    margin_percent: str | None
    """Null: the default margin. Decimal text, with at most 4 decimals."""
    tax_ids: Sequence[str] | None
    """Taxes that it bears. Null: all."""
    payment_terms_days: int | None
    """Null: as in the settings."""
    buyer_reference: str | None
    """Its own reference, as on a purchase order."""
    plan_overrides: Sequence[PlanOverride]
    """Prices of plans for this customer, instead of the plan’s own and without margin."""
    subscription_fee: str | None
    """Instead of that of the price list. Null: that. Decimal text in major units, with at most 6 decimals."""
    meter_overrides: Sequence[MeterOverride]


class _BillingPartyRequired(TypedDict):
    name: str
    """Legal name, as it is to stand on invoices."""
    address_lines: Sequence[str]
    """Street and house."""
    country_code: str
    """ISO 3166-1 alpha-2, or `XK`: the United Kingdom is `GB`."""


class BillingParty(_BillingPartyRequired, total=False):
    """The issuer or the recipient of an invoice."""
    city: str | None
    """City."""
    postal_code: str | None
    """Postal code."""
    region: str | None
    """State or province."""
    tax_number: str | None
    """GSTIN, VAT number or the like."""
    email: str | None
    """Reminders go here."""
    phone: str | None
    """Phone."""


class BillingSettings(TypedDict):
    enabled: bool
    """Whether months are drafted by themselves. A month that ends while it is off is not."""
    currency: str
    """A currency of ISO 4217."""
    issuer: BillingParty
    number_prefix: str
    """Before the number of an invoice; numbers go on where they were when it changes."""
    payment_terms_days: int
    """An invoice is due so many days after it was opened."""
    draft_grace_hours: int
    """A draft opens so long after it was made."""
    default_margin_percent: str
    """On every price that a customer has no price of its own for. Decimal text, with at most 4 decimals."""
    taxes: list[BillingTax]
    """Each customer bears all of them, or those that it names."""
    footer: str | None
    """At the foot of every invoice, such as bank details."""
    reminder_days: list[int]
    """Days after the due date on which a reminder is mailed; before it where negative."""
    hold_sims_after_days: int | None
    """When an invoice has been due for more days than these, the active SIMs of its sub-client are suspended until it is paid; null: never."""
    time_zone: str
    """Of the months: that of the reseller."""
    next_number: int
    """Of the next invoice or credit note."""
    created_at: str
    """When billing was set up. Its month is the first that is drafted by itself."""


class BillingSettingsAnswer(TypedDict):
    """As it is."""
    success: Literal[True]
    settings: BillingSettings | None
    """Null: billing is not set up."""
    last_month: DraftedMonth | None
    """The newest month that was drafted by itself."""


class BillingSettingsUpdate(TypedDict, total=False):
    enabled: bool
    """Whether months are drafted by themselves. A month that ends while it is off is not."""
    currency: str
    """A currency of ISO 4217."""
    issuer: BillingParty
    number_prefix: str
    """Before the number of an invoice; numbers go on where they were when it changes."""
    payment_terms_days: int
    """An invoice is due so many days after it was opened."""
    draft_grace_hours: int
    """A draft opens so long after it was made."""
    default_margin_percent: str
    """On every price that a customer has no price of its own for. Decimal text, with at most 4 decimals."""
    taxes: Sequence[BillingTax]
    """Each customer bears all of them, or those that it names."""
    footer: str | None
    """At the foot of every invoice, such as bank details."""
    reminder_days: Sequence[int]
    """Days after the due date on which a reminder is mailed; before it where negative."""
    hold_sims_after_days: int | None
    """When an invoice has been due for more days than these, the active SIMs of its sub-client are suspended until it is paid; null: never."""


class _BillingTaxRequired(TypedDict):
    tax_id: str
    """By which customers name it."""
    name: str
    """As on the invoice."""
    rate_percent: str
    """Decimal text of percent, at most 100."""
    category: Literal["S", "Z", "E", "AE", "O"]
    """UNCL5305: `S` standard, `Z` zero rated, `E` exempt, `AE` reverse charge, `O` outside the scope."""


class BillingTax(_BillingTaxRequired, total=False):
    """One line on each invoice, on the sum of its lines."""
    exemption_reason: str | None
    """Where nothing is charged, and the category asks for a reason."""


class CorrectedInvoice(TypedDict):
    invoice_id: str
    number: str


class CreditNoteAnswer(TypedDict):
    """The credit note, and the invoice as it is with it."""
    success: Literal[True]
    credit_note: Invoice
    invoice: InvoiceSummary
    unapplied_minor: int
    """What had been paid of the credited amount: it belongs to no invoice, and is to be refunded. In minor units of the currency."""


class _CreditNoteRequestRequired(TypedDict):
    reason: str
    """As on the credit note."""


class CreditNoteRequest(_CreditNoteRequestRequired, total=False):
    lines: Sequence[CreditedLine]
    """Left out: everything that is not credited yet."""


class CreditedLine(TypedDict):
    line: int
    """Of the invoice."""
    amount_minor: int
    """How much of the line is given back, without tax, in minor units."""


class Dispute(TypedDict):
    id: str
    """As the gateway calls it."""
    status: Literal["open", "under_review", "won", "lost", "closed"]
    """`open`: the gateway waits for evidence. `closed`: it ended without a winner."""
    amount: int
    """What is disputed."""
    withdrawn: int
    """What the gateway has taken back because of it, at present."""
    currency: str
    """ISO 4217."""
    reason: str
    """In the gateway’s words."""
    respond_by: str | None
    """Until when the gateway takes evidence."""
    opened_at: str
    """When it became known here."""
    updated_at: str
    """When it last changed."""


class DraftedMonth(TypedDict):
    period: str
    """The month."""
    drafted_at: str
    """When its invoices were drafted."""
    failures: list[RatingFailure]
    """Sub-clients whose month could not be rated, and why. Draft it again when that is mended."""


class ExactQuantity(TypedDict):
    numerator: str
    denominator: str


class GatewayConnection(TypedDict):
    """An account at a payment gateway, without its credentials."""
    connection_id: str
    gateway: Literal["stripe", "razorpay"]
    """`stripe`: Stripe Checkout. `razorpay`: Razorpay Payment Links."""
    name: str
    """For people."""
    enabled: bool
    """Whether new payments go through it. Callbacks, refunds and payments under way are served in any case."""
    mode: Literal["live", "test"]
    """Whether real money moves, by the form of the key."""
    settings: GatewaySettings
    credential_names: list[str]
    """Which credentials are stored."""
    callback_url: str
    """Enter this at the gateway as the URL of its webhooks."""
    previous_webhook_secret_until: str | None
    """Until when a webhook secret that was replaced is valid, where one is."""
    last_event_at: str | None
    """When the last callback came that was shown to be the gateway’s."""
    refused_callbacks: int
    """Callbacks that were not shown to be the gateway’s."""
    last_refused_at: str | None
    """When the last of them came."""
    last_refusal: str | None
    """Why it was refused. `bad_signature`: check the webhook secret."""
    created_at: str
    """When it was made."""
    updated_at: str
    """When it was last changed."""


class GatewayConnectionAnswer(TypedDict):
    """The connection as it is now."""
    success: Literal[True]
    connection: GatewayConnection


class _GatewayConnectionCreateRequired(TypedDict):
    gateway: Literal["stripe", "razorpay"]
    """`stripe`: Stripe Checkout. `razorpay`: Razorpay Payment Links."""
    name: str
    """For people."""
    credentials: GatewayCredentials


class GatewayConnectionCreate(_GatewayConnectionCreateRequired, total=False):
    enabled: bool
    """Whether new payments go through it. Callbacks, refunds and payments under way are served in any case. Preset: `true`."""
    settings: GatewaySettings


class GatewayConnectionDeleted(TypedDict):
    """It is forgotten."""
    success: Literal[True]
    connection_id: str


class GatewayConnectionList(TypedDict):
    """All of them, oldest first."""
    total: int
    """How many there are: ten at most."""
    connections: list[GatewayConnection]


class GatewayConnectionTest(TypedDict):
    """What a call with these credentials brought. It moves no money, and does not test callbacks."""
    success: bool
    """Whether the gateway took the credentials and answered."""
    message: str
    """What it answered; of a failure, what was wrong."""
    account: str | None
    """The id of the account, where the gateway gives it."""
    mode: Literal["live", "test"]
    """Whether real money moves."""
    duration_ms: int


class GatewayConnectionUpdate(TypedDict, total=False):
    """What is left out stays; `settings` replaces all of them, of `credentials` those that are given. Another `base_url` needs the key again. From test to live is another connection."""
    name: str
    """For people."""
    enabled: bool
    """Whether new payments go through it. Callbacks, refunds and payments under way are served in any case."""
    settings: GatewaySettings
    credentials: GatewayCredentials


class GatewayCredentials(TypedDict, total=False):
    """Sealed at rest and never shown again."""
    api_key: str
    """Of Stripe: a secret or a restricted key."""
    key_secret: str
    """Of Razorpay: the secret of the API key."""
    webhook_secret: str
    """With which the gateway signs its callbacks. The one before stays valid for three days after it was replaced."""


class GatewaySettings(TypedDict, total=False):
    """What is no secret."""
    base_url: str
    """Where the gateway's API is, if not at the gateway itself."""
    key_id: str
    """Of Razorpay: the id of the API key."""


_InvoiceNamed = TypedDict("_InvoiceNamed", {"invoice_id": "str", "number": "str | None", "kind": "Literal[\"invoice\", \"credit_note\"]", "status": "Literal[\"draft\", \"open\", \"paid\", \"overdue\", \"void\"]", "issuer": "Literal[\"reseller\", \"operator\"]", "sub_client_id": "str | None", "period": "str", "time_zone": "str", "from": "str", "until": "str", "currency": "str", "subtotal_minor": "int", "tax_minor": "int", "total_minor": "int", "paid_minor": "int", "credited_minor": "int", "amount_due_minor": "int", "corrects": "CorrectedInvoice | None", "drafted_at": "str", "opens_at": "str | None", "opened_at": "str | None", "due_date": "str | None", "paid_at": "str | None", "voided_at": "str | None", "issuer_party": "BillingParty", "recipient": "BillingParty", "lines": "list[InvoiceLine]", "taxes": "list[InvoiceTax]", "buyer_reference": "str | None", "footer": "str | None", "credit_notes": "list[InvoiceSummary]", "payments": "list[InvoicePayment]", "unapplied_minor": "int"})


class Invoice(_InvoiceNamed):
    pass


class InvoiceAnswer(TypedDict):
    """The invoice as it is."""
    success: Literal[True]
    invoice: Invoice


class InvoiceDraftAnswer(TypedDict):
    """What was drafted, and what could not be."""
    success: Literal[True]
    invoices: list[InvoiceSummary]
    """What was drafted or rated anew. A sub-client that has nothing to be billed gets none."""
    made: int
    """Drafts that are new."""
    replaced: int
    """Drafts that were rated anew, with `replace`."""
    kept: int
    """Invoices of the month that stay as they are: those that were issued, and without `replace` drafts too."""
    discarded: int
    """Drafts that were discarded, with `replace`: nothing is left to be billed."""
    failures: list[RatingFailure]
    """What could not be rated, and why. A draft that is there stays."""


class _InvoiceDraftRequestRequired(TypedDict):
    month: str
    """A month that is over and whose usage is final: a day after its end."""


class InvoiceDraftRequest(_InvoiceDraftRequestRequired, total=False):
    sub_client_id: str | None
    """Of this one only."""
    replace: bool
    """Rate drafts that are there anew. Invoices that were issued stay as they are. Preset: `false`."""


_InvoiceLineNamed = TypedDict("_InvoiceLineNamed", {"line": "int", "kind": "str", "description": "str", "sim": "InvoicedSim | None", "plan_id": "str | None", "from": "str", "until": "str", "quantity": "str", "quantity_fraction": "ExactQuantity | None", "unit": "Literal[\"month\", \"day\", \"piece\", \"megabyte\"]", "unit_price": "str", "price_quantity": "int", "amount_minor": "int"})


class InvoiceLine(_InvoiceLineNamed):
    pass


class InvoiceList(TypedDict):
    """A page of invoices and credit notes."""
    total: int
    """How many there are on all pages, with the filters of this request."""
    invoices: list[InvoiceSummary]
    pagination: Pagination
    next_cursor: str | None
    """As `pagination.endCursor` where there is a next page."""


class InvoicePayment(TypedDict):
    id: str
    """Of the attempt, or of what was recorded."""
    gateway: str | None
    """Null where it came in outside of a gateway."""
    recorded: RecordedMoney | None
    """Of a payment that came in outside of a gateway, as the issuer of the invoice recorded it. Null of one at a gateway."""
    status: str
    """Such as `pending`, `paid`, `failed`, `expired` or `reversed`."""
    amount_minor: int
    """What was asked, or came in. In minor units of the currency."""
    currency: str
    """A currency of ISO 4217."""
    failure: str | None
    """Why it failed, in the gateway’s words."""
    disputes: list[Dispute]
    """What the bank of the customer disputes of it, oldest first."""
    created_at: str
    """When it was begun."""
    updated_at: str
    """When it last changed."""


class InvoiceStatement(TypedDict):
    """The invoice with everything that it was made from."""
    statement: Literal["roadworthy-invoice-1", "roadworthy-credit-note-1"]
    """Of an invoice, or of a credit note."""
    invoice: dict[str, Any]
    """As it was issued: parties, lines, taxes, totals."""
    input: dict[str, Any]
    """The ledgers, prices, terms and taxes that it was rated from. Of a credit note: what was asked, the invoice that it corrects and the notes before it."""
    publicKey: str
    """Base64 of SPKI DER, Ed25519."""
    signature: str
    """Base64, over the canonical JSON (RFC 8785) of everything else."""


_InvoiceSummaryNamed = TypedDict("_InvoiceSummaryNamed", {"invoice_id": "str", "number": "str | None", "kind": "Literal[\"invoice\", \"credit_note\"]", "status": "Literal[\"draft\", \"open\", \"paid\", \"overdue\", \"void\"]", "issuer": "Literal[\"reseller\", \"operator\"]", "sub_client_id": "str | None", "period": "str", "time_zone": "str", "from": "str", "until": "str", "currency": "str", "subtotal_minor": "int", "tax_minor": "int", "total_minor": "int", "paid_minor": "int", "credited_minor": "int", "amount_due_minor": "int", "corrects": "CorrectedInvoice | None", "drafted_at": "str", "opens_at": "str | None", "opened_at": "str | None", "due_date": "str | None", "paid_at": "str | None", "voided_at": "str | None"})


class InvoiceSummary(_InvoiceSummaryNamed):
    pass


class InvoiceTax(TypedDict):
    tax_id: str
    name: str
    rate_percent: str
    category: Literal["S", "Z", "E", "AE", "O"]
    """UNCL5305: `S` standard, `Z` zero rated, `E` exempt, `AE` reverse charge, `O` outside the scope."""
    exemption_reason: str | None
    taxable_minor: int
    """What it is charged on. In minor units of the currency."""
    amount_minor: int
    """Rounded half up once. In minor units of the currency."""


class InvoiceVoidRequest(TypedDict, total=False):
    reason: str
    """For the credit note that voids an invoice that was issued."""


class InvoicedSim(TypedDict):
    sim_id: str
    iccid: str


class _ItemProblemRequired(TypedDict):
    code: str
    message: str


class ItemProblem(_ItemProblemRequired, total=False):
    details: dict[str, Any]


class LatestSync(TypedDict):
    """The newest run; null before the first."""
    success: Literal[True]
    sync: Sync | None


class MeterOverride(TypedDict):
    meter: Literal["readings", "predictions", "device_days", "api_calls"]
    """What is counted."""
    price: str
    """Instead of that of the price list. Decimal text in major units, with at most 6 decimals."""


class MeterPrice(TypedDict):
    meter: Literal["readings", "predictions", "device_days", "api_calls"]
    """What is counted."""
    price: str
    """Of `per` of them. Decimal text in major units, with at most 6 decimals."""
    per: int
    """The price is for so many."""
    included: int
    """Free in each month."""


class OperatorConnection(TypedDict):
    """An account at an operator’s platform, without its credentials."""
    connection_id: str
    operator: Literal["cisco", "airtel"]
    """`cisco`: Cisco IoT Control Center. `airtel`: Airtel IoT platform."""
    name: str
    """For people."""
    enabled: bool
    """Whether it is synchronised, and actions go to it."""
    base_url: str
    """Of the operator’s API, as its documents name it. https, and a public address."""
    settings: dict[str, str | int]
    """What the operator’s platform needs beside credentials, by operator; see the guide on SIMs."""
    credential_names: list[str]
    """Which credentials are stored."""
    custody_min_days: int
    """A SIM stays in safe custody this long at least, for its fee; it may come out of it sooner."""
    custody_max_days: int
    """And this long at most."""
    custody_on_expiry: Literal["suspend", "activate"]
    """What becomes of a SIM whose safe custody ends by itself."""
    termination_grace_days: int
    """For so long a termination can be taken back by activating the SIM."""
    sync_every_minutes: int
    """How often it is synchronised by itself."""
    default_plan_id: str | None
    """Rate plan of its SIMs that no rate plan claims by the operator’s name of theirs, such as those found in safe custody; null: none."""
    sim_count: int
    """SIMs of this connection, terminated ones included."""
    synced_until: str | None
    """Everything that changed at the operator until then is known here."""
    created_at: str
    """When it was made."""
    updated_at: str
    """When it was last changed."""


class OperatorConnectionAnswer(TypedDict):
    """The connection as it is now."""
    success: Literal[True]
    connection: OperatorConnection


class _OperatorConnectionCreateRequired(TypedDict):
    operator: Literal["cisco", "airtel"]
    """`cisco`: Cisco IoT Control Center. `airtel`: Airtel IoT platform."""
    name: str
    """For people."""
    base_url: str
    """Of the operator’s API, as its documents name it. https, and a public address."""
    credentials: Mapping[str, str]
    """By operator; see the guide on SIMs. Sealed at rest and never shown again."""


class OperatorConnectionCreate(_OperatorConnectionCreateRequired, total=False):
    settings: Mapping[str, str | int]
    """What the operator’s platform needs beside credentials, by operator; see the guide on SIMs."""
    enabled: bool
    """Whether it is synchronised, and actions go to it. Preset: `true`."""
    custody_min_days: int
    """A SIM stays in safe custody this long at least, for its fee; it may come out of it sooner. Preset: `30`."""
    custody_max_days: int
    """And this long at most. Preset: `90`."""
    custody_on_expiry: Literal["suspend", "activate"]
    """What becomes of a SIM whose safe custody ends by itself. Preset: `suspend`."""
    termination_grace_days: int
    """For so long a termination can be taken back by activating the SIM. Preset: `5`."""
    sync_every_minutes: int
    """How often it is synchronised by itself. Preset: `60`."""
    default_plan_id: str | None
    """Rate plan of its SIMs that no rate plan claims by the operator’s name of theirs, such as those found in safe custody; null: none."""


class OperatorConnectionDeleted(TypedDict):
    """It is forgotten."""
    success: Literal[True]
    connection_id: str


class OperatorConnectionList(TypedDict):
    """A page of connections."""
    total: int
    """How many there are on all pages, with the filters of this request."""
    connections: list[OperatorConnection]
    pagination: Pagination


class OperatorConnectionTest(TypedDict):
    """What a call with these credentials brought."""
    success: bool
    """Whether the operator’s platform took the credentials and answered."""
    message: str
    """What it answered; of a failure, what was wrong."""
    duration_ms: int


class OperatorConnectionUpdate(TypedDict, total=False):
    """What is left out stays. `credentials` and `settings` replace all of theirs. A `base_url` with another scheme, host or port needs the credentials again."""
    name: str
    """For people."""
    base_url: str
    """Of the operator’s API, as its documents name it. https, and a public address."""
    credentials: Mapping[str, str]
    """By operator; see the guide on SIMs. Sealed at rest and never shown again."""
    settings: Mapping[str, str | int]
    """What the operator’s platform needs beside credentials, by operator; see the guide on SIMs."""
    enabled: bool
    """Whether it is synchronised, and actions go to it."""
    custody_min_days: int
    """A SIM stays in safe custody this long at least, for its fee; it may come out of it sooner."""
    custody_max_days: int
    """And this long at most."""
    custody_on_expiry: Literal["suspend", "activate"]
    """What becomes of a SIM whose safe custody ends by itself."""
    termination_grace_days: int
    """For so long a termination can be taken back by activating the SIM."""
    sync_every_minutes: int
    """How often it is synchronised by itself."""
    default_plan_id: str | None
    """Rate plan of its SIMs that no rate plan claims by the operator’s name of theirs, such as those found in safe custody; null: none."""


class Pagination(TypedDict):
    endCursor: str | None
    """Give it as `after` to get the next page."""
    hasNextPage: bool


class PayRequest(TypedDict, total=False):
    gateway: Literal["stripe", "razorpay"]
    """Left out: the one that was connected first and takes the amount."""
    return_url: str
    """Where the gateway sends the browser afterwards, paid or not: https, or a page of this service. That it comes there proves nothing. Left out: the page of the invoice here."""


class Paying(TypedDict):
    """The payment that is open, and its invoice."""
    success: Literal[True]
    payment: Payment
    invoice: InvoiceSummary


class Payment(TypedDict):
    """An attempt to pay an invoice at a gateway, and what became of it; or money that came in otherwise."""
    id: str
    invoice_id: str
    sub_client_id: str | None
    """Who pays; null where it is the reseller."""
    gateway: Literal["stripe", "razorpay"] | None
    """Through which it is paid. Null where it came in outside of a gateway."""
    recorded: RecordedMoney | None
    """Of a payment that came in outside of a gateway, as the issuer of the invoice recorded it. Null of one at a gateway."""
    status: Literal["pending", "paid", "failed", "expired", "canceled", "reversed"]
    """`pending`: it may still be paid, and another payment of the invoice has to wait. A payment that ended may still become `paid`: some come through late. `reversed`: it was recorded by hand, and taken back."""
    amount: int
    """What is asked, in minor units."""
    currency: str
    """ISO 4217."""
    checkout_url: str | None
    """Send the customer there. Null when it is over."""
    expires_at: str | None
    """When the checkout ends at the gateway. Null where there is none."""
    failure: str | None
    """Why the last try failed, in the gateway’s words."""
    unanswered_since: str | None
    """Since when the gateway refuses us or gives no answer about it. After 24 hours its issuer may abandon it. Null: it answered last."""
    abandoned_at: str | None
    """When its issuer gave it up, where that was done."""
    received: int
    """What came in of it."""
    refunded: int
    """Of that, what was given back or is on its way."""
    refunds: list[Refund]
    """Oldest first. Those made at the gateway’s own dashboard are in `refunded` only."""
    disputes: list[Dispute]
    """Oldest first."""
    created_at: str
    """When it was begun."""
    updated_at: str
    """When it last changed."""


class PaymentAnswer(TypedDict):
    """The payment as it is now."""
    success: Literal[True]
    payment: Payment


class PaymentList(TypedDict):
    """A page of payments."""
    total: int
    """How many there are on all pages, with the filters of this request."""
    payments: list[Payment]
    pagination: Pagination


class PlanOverride(TypedDict):
    plan_id: str
    """Of the rate plan; never changes."""
    prices: PlanOverridePrices


class PlanOverridePrices(TypedDict, total=False):
    rental: str
    """A month, active or suspended. Decimal text in major units, with at most 6 decimals."""
    overage_per_megabyte: str
    """Of 1,048,576 bytes, beyond what is included. Decimal text in major units, with at most 6 decimals."""
    activation_fee: str
    """Once in the life of a SIM. Decimal text in major units, with at most 6 decimals."""
    custody_fee: str
    """A month in safe custody, instead of the rental. Decimal text in major units, with at most 6 decimals."""


class PlanPrices(TypedDict):
    rental: str
    """A month, active or suspended. Decimal text in major units, with at most 6 decimals."""
    overage_per_megabyte: str
    """Of 1,048,576 bytes, beyond what is included. Decimal text in major units, with at most 6 decimals."""
    activation_fee: str
    """Once in the life of a SIM. Decimal text in major units, with at most 6 decimals."""
    custody_fee: str
    """A month in safe custody, instead of the rental. Decimal text in major units, with at most 6 decimals."""
    included_megabytes: str
    """A month. 1 MB is 1,048,576 bytes. Decimal text."""
    custody_min_days: int
    """An earlier end of custody bears its fee for so many days."""
    pooled: bool
    """The included data of all SIMs of a customer on this plan is one volume."""
    prorated: bool
    """Rental, included data and custody fee by days; else by whole months."""


class PriceList(TypedDict):
    version: int
    effective_from: str
    """The first month in which this version holds."""
    subscription_fee: str | None
    """A month, whatever was used; not of sub-clients that were deactivated before it. Null: none. Decimal text in major units, with at most 6 decimals."""
    meters: list[MeterPrice]
    """What is not here is free."""


class PriceListAnswer(TypedDict):
    """The newest version, and all of them."""
    success: Literal[True]
    price_list: PriceList | None
    """The newest. Null: use of the platform is not billed."""
    versions: list[PriceList]
    """Oldest first."""


class _PriceListUpdateRequired(TypedDict):
    subscription_fee: str | None
    """A month, whatever was used; not of sub-clients that were deactivated before it. Null: none. Decimal text in major units, with at most 6 decimals."""
    meters: Sequence[MeterPrice]
    """What is not here is free."""


class PriceListUpdate(_PriceListUpdateRequired, total=False):
    effective_from: str
    """The first month in which it holds. Left out: the current one. A version that replaces another begins after the newest month of which invoices are issued."""


class RatePlan(TypedDict):
    plan_id: str
    """Of the rate plan; never changes."""
    version: int
    name: str
    operator_plan: str | None
    effective_from: str
    """The first month in which this version holds."""
    archived_at: str | None
    """Since when it is not meant for further SIMs. Those that have it are billed by it."""
    prices: PlanPrices


class RatePlanAnswer(TypedDict):
    """The newest version, and all of them."""
    success: Literal[True]
    rate_plan: RatePlan
    versions: list[RatePlan]
    """All of them, oldest first. In a month the one with the newest `effective_from` up to it holds."""


class _RatePlanCreateRequired(TypedDict):
    plan_id: str
    """URL-safe id; never changes."""
    name: str
    """As on invoices."""
    prices: PlanPrices


class RatePlanCreate(_RatePlanCreateRequired, total=False):
    operator_plan: str | None
    """The operator’s name of the plan."""
    effective_from: str
    """The first month in which it holds. Left out: the current one. A version that replaces another begins after the newest month of which invoices are issued."""


class RatePlanList(TypedDict):
    """The newest version of each, by id."""
    total: int
    rate_plans: list[RatePlan]


class RatePlanUpdate(TypedDict, total=False):
    name: str
    """As on invoices."""
    operator_plan: str | None
    """The operator’s name of the plan."""
    effective_from: str
    """The first month in which it holds. Left out: the current one. A version that replaces another begins after the newest month of which invoices are issued."""
    prices: PlanPrices


class RatingFailure(TypedDict):
    sub_client_id: str
    message: str


class _RecordPaymentRequestRequired(TypedDict):
    amount_minor: int
    """What came in, in minor units: no more than is open."""
    currency: str
    """ISO 4217: that of the invoice."""
    method: Literal["bank_transfer", "direct_debit", "cash", "cheque", "card_elsewhere", "other"]
    """How it came. `card_elsewhere`: by a card, through a terminal or a page that is not connected here."""
    received_on: str
    """The day on which it came in, in the time zone of the invoice: today at the latest, and at most 366 days before the invoice was issued."""


class RecordPaymentRequest(_RecordPaymentRequestRequired, total=False):
    reference: str | None
    """As on the bank statement, in one line."""


class RecordedMoney(TypedDict):
    method: Literal["bank_transfer", "direct_debit", "cash", "cheque", "card_elsewhere", "other"]
    """How it came. `card_elsewhere`: by a card, through a terminal or a page that is not connected here."""
    received_on: str
    """The day on which it came in, in the time zone of the invoice."""
    reference: str | None
    """As on the bank statement."""
    reversed_at: str | None
    """When it was taken back, because it was wrong or went back."""
    reversal_reason: str | None
    """Why it was taken back."""


class RecordedPaymentAnswer(TypedDict):
    """The payment that was recorded, and its invoice as it is with it."""
    success: Literal[True]
    payment: Payment
    invoice: InvoiceSummary


class Refund(TypedDict):
    id: str
    status: Literal["pending", "succeeded", "failed", "canceled"]
    """`failed`: the customer has to get the money in another way."""
    origin: Literal["request", "unapplied"]
    """`unapplied`: made by the service, because the invoice does not take the money."""
    amount: int
    """In minor units."""
    currency: str
    """ISO 4217."""
    reason: str
    failure: str | None
    """In the gateway’s words."""
    created_at: str
    """When it was asked for."""
    updated_at: str
    """When it last changed."""


class _RefundRequestRequired(TypedDict):
    reason: str
    """For people; it is kept at the gateway too."""


class RefundRequest(_RefundRequestRequired, total=False):
    amount: int
    """In minor units. Left out: all that can be given back."""


class ReversePaymentRequest(TypedDict):
    reason: str
    """For people; it is shown beside the payment."""


class Sim(TypedDict):
    id: str
    sim_id: str
    """The same as `id`."""
    iccid: str
    """As the operator gives it: 18 to 20 digits, with or without its check digit."""
    imsi: str | None
    """International mobile subscriber identity."""
    msisdn: str | None
    """Its number, digits only. M2M numbers may have 13."""
    eid: str | None
    """Of an eUICC."""
    imei: str | None
    """Of the device that the operator last saw it in."""
    connection_id: str
    """The operator connection it came by."""
    operator: Literal["cisco", "airtel"]
    status: Literal["inventory", "test", "active", "suspended", "safe_custody", "terminating", "terminated"]
    """`inventory`: bought, not active yet. `test`: on the operator’s free allowance. `suspended`: barred for now, the rental goes on. `safe_custody`: parked for some time at a lower fee. `terminating`: ends after a grace in which it can be taken back. `terminated`: final."""
    status_since: str
    """When it came into this state."""
    pending_action: Literal["activate", "activate_test", "suspend", "safe_custody", "terminate", "expire_custody", "end_grace"] | None
    """What the operator is asked for at the moment."""
    pending_since: str | None
    """Since when."""
    possible: list[Literal["inventory", "test", "active", "suspended", "safe_custody", "terminating", "terminated"]]
    """States that it can be brought to from here."""
    operator_status: str | None
    """The state as the operator spells it."""
    operator_synced_at: str | None
    """When the operator last reported something of it."""
    suspended_by: Literal["customer", "system", "operator"] | None
    """`operator`: only the operator can lift it."""
    suspended_reason: str | None
    """Why."""
    safe_custody_until: str | None
    """When safe custody ends by itself."""
    terminates_at: str | None
    """Until when a termination can be taken back."""
    plan_id: str | None
    """The rate plan it is billed by."""
    rate_plan: str | None
    """The operator’s name of its plan."""
    communication_plan: str | None
    """The operator’s name."""
    apn: str | None
    """Access point name."""
    ip_address: str | None
    """Where the operator gives it a fixed one."""
    sub_client_id: str | None
    """Whose it is."""
    device_id: str | None
    """Which device it is in."""
    device_name: str | None
    """What that device is called."""
    data_usage_mb: float
    """In the cycle so far, in megabytes of 1,048,576 bytes."""
    data_usage_bytes: int
    """In the cycle so far."""
    sms_count: int
    """In the cycle so far."""
    session_count: int
    """In the cycle so far."""
    data_limit_mb: int | None
    """What it should use at most in a cycle, in megabytes of 1,048,576 bytes. It is a mark for people; nothing is cut off at it."""
    cycle_start: str | None
    """Of the operator’s cycle that the amounts are of."""
    cycle_end: str | None
    """When the next one begins."""
    usage_at: str | None
    """When the operator last reported an amount."""
    activated_at: str | None
    """When it was first active."""
    metadata: dict[str, Any]
    """Yours to keep, 16 KiB of JSON at most."""
    created_at: str
    """When it became known here."""
    updated_at: str
    """When something of it last changed."""


class SimAction(TypedDict):
    action_id: str
    sim_id: str
    action: Literal["activate", "activate_test", "suspend", "safe_custody", "terminate", "expire_custody", "end_grace"]
    state: Literal["pending", "done", "failed"]
    status_from: Literal["inventory", "test", "active", "suspended", "safe_custody", "terminating", "terminated"]
    """`inventory`: bought, not active yet. `test`: on the operator’s free allowance. `suspended`: barred for now, the rental goes on. `safe_custody`: parked for some time at a lower fee. `terminating`: ends after a grace in which it can be taken back. `terminated`: final."""
    status_to: Literal["inventory", "test", "active", "suspended", "safe_custody", "terminating", "terminated"]
    """`inventory`: bought, not active yet. `test`: on the operator’s free allowance. `suspended`: barred for now, the rental goes on. `safe_custody`: parked for some time at a lower fee. `terminating`: ends after a grace in which it can be taken back. `terminated`: final."""
    reason: str | None
    """As it was given."""
    source: Literal["request", "system", "operator"]
    """`operator`: it was found to be so there. `system`: a date came, or what it belongs to changed."""
    operator_job: str | None
    """The operator’s own name for it."""
    error: SimActionProblem | None
    requested_at: str
    """When it was asked for."""
    settled_at: str | None
    """When it was over."""


class SimActionAnswer(TypedDict):
    """The SIM, with the action pending. `action` is null where the SIM was in that state already and nothing is to be done."""
    success: Literal[True]
    sim: Sim
    action: SimAction | None


class SimActionList(TypedDict):
    """A page of what was asked of the operator, newest first."""
    total: int
    """How many there are on all pages, with the filters of this request."""
    actions: list[SimAction]
    pagination: Pagination


class SimActionProblem(TypedDict):
    code: str
    """`rejected`, `auth`, `not_found`, `timed_out`, `outcome_unknown`"""
    message: str
    """In the operator’s words where it gave some."""


class SimActivate(TypedDict, total=False):
    """Also resumes a SIM that is suspended, in safe custody, or terminating."""
    mode: Literal["live", "test"]
    """`test`: on the operator’s free allowance, where it has one. Preset: `live`."""
    rate_plan: str
    """The operator’s plan that it is to have; left out: the one it has, or had before safe custody."""
    reason: str
    """For people; it stands in the history."""


class SimAnomalies(TypedDict):
    """What is odd about a SIM at present."""
    anomalies: list[SimAnomaly]
    """Newest first; one of each type at most."""


class SimAnomaly(TypedDict):
    type: Literal["wrong_device", "usage_above_habit", "traffic_in_custody"]
    """`wrong_device`: the operator sees it in another device. `usage_above_habit`: it uses far more than it did. `traffic_in_custody`: it has traffic while it is parked."""
    message: str
    """One sentence that names what was seen and what was expected."""
    evidence: dict[str, Any]
    """What was seen: amounts in bytes, IMEIs."""
    opened_at: str
    """When it was first seen."""
    last_seen_at: str
    """When it was last seen."""


class SimAnswer(TypedDict):
    """The SIM as it is now."""
    success: Literal[True]
    sim: Sim


class _SimBulkRequired(TypedDict):
    sim_ids: Sequence[str]
    action: Literal["activate", "suspend", "safe_custody", "terminate"]


class SimBulk(_SimBulkRequired, total=False):
    mode: Literal["live", "test"]
    """`test`: on the operator’s free allowance, where it has one. Preset: `live`."""
    rate_plan: str
    """The operator’s plan that it is to have; left out: the one it has, or had before safe custody."""
    until: str
    """When it is to end by itself."""
    days: int
    """The same, in days from now. Left out: as long as the connection allows."""
    reason: str
    """For people; it stands in the history."""


class SimBulkAnswer(TypedDict):
    """What became of each."""
    success: bool
    """Whether every SIM was taken."""
    accepted: int
    """For which the operator is asked."""
    unchanged: int
    """That were in that state already."""
    refused: int
    """See their error."""
    results: list[SimBulkResult]
    """One for each of `sim_ids`, in their order."""


class SimBulkResult(TypedDict):
    index: int
    """In `sim_ids`."""
    sim_id: str | None
    """Of the SIM that was found."""
    status: Literal["accepted", "unchanged", "refused"]
    action_id: str | None
    """Of one that was accepted."""
    error: ItemProblem | None


class _SimCreateRequired(TypedDict):
    connection_id: str
    """The operator connection it belongs to."""
    iccid: str
    """18 to 20 digits. Of 20, the last is the check digit."""


class SimCreate(_SimCreateRequired, total=False):
    """A SIM that was bought and is not known yet. It begins in `inventory`, until the operator reports otherwise."""
    imsi: str | None
    msisdn: str | None
    """Digits only."""
    rate_plan: str | None
    """The operator’s name of its plan."""
    device_id: str | None
    """Device id or IMEI; null takes it out. A device has one SIM."""
    sub_client_id: str | None
    """Whose it is: that of its device, where it is in one. Null: nobody’s."""
    plan_id: str | None
    """The rate plan it is billed by; null: none."""
    data_limit_mb: int | None
    """What it should use at most in a cycle, in megabytes of 1,048,576 bytes. It is a mark for people; nothing is cut off at it."""
    metadata: Mapping[str, object]
    """Yours to keep, 16 KiB of JSON at most."""


class SimCycleUsage(TypedDict):
    """The operator’s cycle that runs, cumulative."""
    start: str | None
    """Null: the operator has reported nothing yet."""
    end: str | None
    """When the next one begins."""
    data_usage_mb: float
    """Megabytes of 1,048,576 bytes."""
    data_usage_bytes: int
    """Bytes."""
    sms_count: int
    """Messages."""
    session_count: int
    """Sessions."""
    usage_at: str | None
    """When the operator last reported an amount."""


class SimDayUsage(TypedDict):
    date: str
    """In the time zone of the reseller."""
    data_usage_mb: float
    """Megabytes of 1,048,576 bytes."""
    data_usage_bytes: int
    """Bytes."""


class SimHistory(TypedDict):
    """A page of what happened to a SIM, newest first."""
    total: int
    """How many there are on all pages, with the filters of this request."""
    history: list[SimHistoryEntry]
    pagination: Pagination


class SimHistoryEntry(TypedDict):
    """The whole state after a change."""
    seq: int
    """Counts the changes of this SIM."""
    at: str
    """When it was known here. Billing uses it."""
    change: Literal["created", "status", "allocation", "plan", "details"]
    """What changed."""
    status: Literal["inventory", "test", "active", "suspended", "safe_custody", "terminating", "terminated"]
    """`inventory`: bought, not active yet. `test`: on the operator’s free allowance. `suspended`: barred for now, the rental goes on. `safe_custody`: parked for some time at a lower fee. `terminating`: ends after a grace in which it can be taken back. `terminated`: final."""
    sub_client_id: str | None
    """Whose it was from then on."""
    device_id: str | None
    """Which device it was in from then on."""
    plan_id: str | None
    """The rate plan from then on."""
    source: Literal["request", "system", "operator"]
    """`operator`: it was found to be so there. `system`: a date came, or what it belongs to changed."""
    actor_type: str
    """A key, a user, the system, or the operator."""
    actor_id: str
    """Which one; of the operator, its connection."""
    reason: str | None
    """Why."""
    action_id: str | None
    """The action that brought it."""


class SimList(TypedDict):
    """A page of SIMs."""
    total: int
    """How many there are on all pages, with the filters of this request."""
    sims: list[Sim]
    pagination: Pagination


class SimSafeCustody(TypedDict, total=False):
    until: str
    """When it is to end by itself."""
    days: int
    """The same, in days from now. Left out: as long as the connection allows."""
    reason: str
    """For people; it stands in the history."""


class SimSuspend(TypedDict, total=False):
    reason: str
    """For people; it stands in the history."""


class SimTerminate(TypedDict, total=False):
    reason: str
    """For people; it stands in the history."""


class SimUpdate(TypedDict, total=False):
    """What is left out stays; null clears."""
    device_id: str | None
    """Device id or IMEI; null takes it out. A device has one SIM."""
    sub_client_id: str | None
    """Whose it is: that of its device, where it is in one. Null: nobody’s."""
    plan_id: str | None
    """The rate plan it is billed by; null: none."""
    data_limit_mb: int | None
    """What it should use at most in a cycle, in megabytes of 1,048,576 bytes. It is a mark for people; nothing is cut off at it."""
    metadata: Mapping[str, object]
    """Yours to keep, 16 KiB of JSON at most."""


class SimUsage(TypedDict):
    """What a SIM used."""
    sim_id: str
    time_zone: str
    """Of the reseller, by which days begin."""
    cycle: SimCycleUsage
    daily: list[SimDayUsage]
    """By the day on which the operator reported it; days without any are 0."""


class Sync(TypedDict):
    """A run of the synchronisation."""
    id: str
    status: Literal["running", "completed", "partial", "failed"]
    """`partial`: some SIMs or connections could not be synchronised; see `errors`. `failed`: none could."""
    scope: Literal["all", "sims", "usage", "invoices"]
    """`sims`: which SIMs there are, and their states. `usage`: what they used in the cycle that runs. `invoices`: drafts of months that are over, which are made within seconds after the answer. `all` of these."""
    full: bool
    connection_id: str | None
    """The only connection that is asked; null: all that are enabled."""
    started_at: str
    """When it was asked for."""
    finished_at: str | None
    """When it was over."""
    sims: SyncedSims
    usage: SyncedUsage
    errors: list[SyncProblem]
    """The first hundred."""


class SyncAnswer(TypedDict):
    """The run when it was over, or after ten seconds as far as it is: ask `GET /sync/{id}` then."""
    success: Literal[True]
    sync: Sync
    already_running: bool
    """It was asked for before, and this is that run: there is one at a time."""


class SyncProblem(TypedDict):
    iccid: str | None
    """Null where it is about a whole connection."""
    connection_id: str | None
    code: str
    """`auth`, `rate`, `not_found`, `rejected` or `unavailable`, as the operator answered; `refused`: a row that cannot be used."""
    message: str


class SyncRequest(TypedDict, total=False):
    scope: Literal["all", "sims", "usage", "invoices"]
    """`sims`: which SIMs there are, and their states. `usage`: what they used in the cycle that runs. `invoices`: drafts of months that are over, which are made within seconds after the answer. `all` of these. Preset: `all`."""
    full: bool
    """Every SIM, not only those that changed at the operator since the last time. Preset: `false`."""
    sim_ids: Sequence[str]
    """Only these, by id or ICCID."""
    connection_id: str
    """Only this connection."""


class SyncShown(TypedDict):
    """The run as far as it is."""
    success: Literal[True]
    sync: Sync


class SyncedSims(TypedDict):
    seen: int
    """That the operators listed."""
    created: int
    """That were not known."""
    updated: int
    """That had changed."""
    unchanged: int
    """That were as they are known."""
    failed: int
    """Of which the operator’s answer could not be used, or came not at all."""


class SyncedUsage(TypedDict):
    updated: int
    """SIMs whose counters rose."""
