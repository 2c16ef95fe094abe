# Written by `npm run openapi` from docs/openapi/sim-billing.json and the table of methods. Changes belong there.
from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import TYPE_CHECKING, Literal

from .._options import CallOptions
from . import sim_billing_routes as routes

if TYPE_CHECKING:
    from .._sync_caller import Caller
    from . import sim_billing_types as types



class OperatorConnections:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(self, *, limit: int | None = None, after: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.OperatorConnectionList:
        """List operator connections, oldest first.
        Empty for a key of one sub-client.

        `GET /api/sim-billing/operator-connections`; scope `billing:read`

        Args:
            limit: Most items in the answer. Preset: `100`.
            after: `pagination.endCursor` of the page before.
        """
        return self._caller.call(routes.OPERATOR_CONNECTIONS_LIST, query={"limit": limit, "after": after}, options=CallOptions(timeout_s, max_retries, headers))

    def iterate(self, *, limit: int | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> Generator[types.OperatorConnection, None, None]:
        """The items of every page of `list`, fetched as they are read. `limit` is the length of a page."""
        return self._caller.iterate(routes.OPERATOR_CONNECTIONS_LIST, query={"limit": limit}, options=CallOptions(timeout_s, max_retries, headers))

    def create(self, body: types.OperatorConnectionCreate, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.OperatorConnectionAnswer:
        """Connect an account at an operator’s platform.
        Nothing is asked of the operator yet: test the connection, then synchronise.

        `POST /api/sim-billing/operator-connections`; scope `*`
        """
        return self._caller.call(routes.OPERATOR_CONNECTIONS_CREATE, body=body, options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    def get(self, connection_id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.OperatorConnectionAnswer:
        """Get one operator connection.

        `GET /api/sim-billing/operator-connections/{connection_id}`; scope `billing:read`
        """
        return self._caller.call(routes.OPERATOR_CONNECTIONS_GET, (connection_id,), options=CallOptions(timeout_s, max_retries, headers))

    def update(self, connection_id: str, body: types.OperatorConnectionUpdate, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.OperatorConnectionAnswer:
        """Change an operator connection.

        `PUT /api/sim-billing/operator-connections/{connection_id}`; scope `*`
        """
        return self._caller.call(routes.OPERATOR_CONNECTIONS_UPDATE, (connection_id,), body=body, options=CallOptions(timeout_s, max_retries, headers))

    def delete(self, connection_id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.OperatorConnectionDeleted:
        """Forget an operator connection that never had a SIM.

        `DELETE /api/sim-billing/operator-connections/{connection_id}`; scope `*`
        """
        return self._caller.call(routes.OPERATOR_CONNECTIONS_DELETE, (connection_id,), options=CallOptions(timeout_s, max_retries, headers))

    def test(self, connection_id: str, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.OperatorConnectionTest:
        """Try an operator connection.
        Enabled or not. Asks the operator for the least that proves the credentials; changes nothing. It takes up to half a minute.

        `POST /api/sim-billing/operator-connections/{connection_id}/test`; scope `*`
        """
        return self._caller.call(routes.OPERATOR_CONNECTIONS_TEST, (connection_id,), options=CallOptions(timeout_s, max_retries, headers, idempotency_key))


class Sims:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(self, *, status: Literal["inventory", "test", "active", "suspended", "safe_custody", "terminating", "terminated"] | None = None, sub_client_id: str | None = None, device_id: str | None = None, connection_id: str | None = None, search: str | None = None, limit: int | None = None, after: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.SimList:
        """List SIMs, those known longest first.

        `GET /api/sim-billing/sims`; scope `billing:read`

        Args:
            status: `inventory`: bought, not active yet. `test`: on the operator’s free allowance. `suspended`: barred for now, the rental goes on. `safe_custody`: parked for some time at a lower fee. `terminating`: ends after a grace in which it can be taken back. `terminated`: final.
            sub_client_id: Only what belongs to this sub-client.
            device_id: Only the SIM in this device.
            connection_id: Only SIMs of this operator connection.
            search: Digits that stand anywhere in the ICCID, the number or the IMSI.
            limit: Most items in the answer. Preset: `100`.
            after: `pagination.endCursor` of the page before.
        """
        return self._caller.call(routes.SIMS_LIST, query={"status": status, "sub_client_id": sub_client_id, "device_id": device_id, "connection_id": connection_id, "search": search, "limit": limit, "after": after}, options=CallOptions(timeout_s, max_retries, headers))

    def iterate(self, *, status: Literal["inventory", "test", "active", "suspended", "safe_custody", "terminating", "terminated"] | None = None, sub_client_id: str | None = None, device_id: str | None = None, connection_id: str | None = None, search: str | None = None, limit: int | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> Generator[types.Sim, None, None]:
        """The items of every page of `list`, fetched as they are read. `limit` is the length of a page."""
        return self._caller.iterate(routes.SIMS_LIST, query={"status": status, "sub_client_id": sub_client_id, "device_id": device_id, "connection_id": connection_id, "search": search, "limit": limit}, options=CallOptions(timeout_s, max_retries, headers))

    def create(self, body: types.SimCreate, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.SimAnswer:
        """Make a SIM known that was bought.
        Synchronising with the operator does it for every SIM of the account; this is for one that is not there yet.

        `POST /api/sim-billing/sims`; scope `billing:write`
        """
        return self._caller.call(routes.SIMS_CREATE, body=body, options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    def get(self, sim: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.SimAnswer:
        """Get one SIM by its id, ICCID or number.

        `GET /api/sim-billing/sims/{sim}`; scope `billing:read`
        """
        return self._caller.call(routes.SIMS_GET, (sim,), options=CallOptions(timeout_s, max_retries, headers))

    def update(self, sim: str, body: types.SimUpdate, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.SimAnswer:
        """Set whose a SIM is, in which device, and by which plan it is billed.
        A SIM and its device are of one sub-client: a SIM of nobody that is put into a device goes to whoever has the device, and goes where the device goes.

        `PUT /api/sim-billing/sims/{sim}`; scope `billing:write`
        """
        return self._caller.call(routes.SIMS_UPDATE, (sim,), body=body, options=CallOptions(timeout_s, max_retries, headers))

    def list_history(self, sim: str, *, limit: int | None = None, after: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.SimHistory:
        """List what happened to a SIM, newest first.
        To a key of one sub-client, what happened while that sub-client had it.

        `GET /api/sim-billing/sims/{sim}/history`; scope `billing:read`

        Args:
            limit: Most items in the answer. Preset: `100`.
            after: `pagination.endCursor` of the page before.
        """
        return self._caller.call(routes.SIMS_LIST_HISTORY, (sim,), query={"limit": limit, "after": after}, options=CallOptions(timeout_s, max_retries, headers))

    def iterate_history(self, sim: str, *, limit: int | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> Generator[types.SimHistoryEntry, None, None]:
        """The items of every page of `list_history`, fetched as they are read. `limit` is the length of a page."""
        return self._caller.iterate(routes.SIMS_LIST_HISTORY, (sim,), query={"limit": limit}, options=CallOptions(timeout_s, max_retries, headers))

    def get_usage(self, sim: str, *, from_: str | None = None, to: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.SimUsage:
        """Get what a SIM used, in the operator’s cycle and by day.

        `GET /api/sim-billing/sims/{sim}/usage`; scope `billing:read`

        Args:
            from_: First day; left out: 30 days before `to`.
            to: Last day; left out: today. At most 400 days after `from`.
        """
        return self._caller.call(routes.SIMS_GET_USAGE, (sim,), query={"from": from_, "to": to}, options=CallOptions(timeout_s, max_retries, headers))

    def list_anomalies(self, sim: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.SimAnomalies:
        """List what is odd about a SIM at present.
        To a key of one sub-client, what was first seen while that sub-client had it.

        `GET /api/sim-billing/sims/{sim}/anomalies`; scope `billing:read`
        """
        return self._caller.call(routes.SIMS_LIST_ANOMALIES, (sim,), options=CallOptions(timeout_s, max_retries, headers))

    def activate(self, sim: str, body: types.SimActivate | None = None, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.SimActionAnswer:
        """Activate a SIM, or resume it.
        Out of inventory and test, suspension, safe custody, and a termination within its grace, which takes it back to what it was before. What the operator suspended is lifted by the operator alone. The answer comes at once; `sim.state.changed` reports when the operator has done it.

        `POST /api/sim-billing/sims/{sim}/activate`; scope `billing:write`
        """
        return self._caller.call(routes.SIMS_ACTIVATE, (sim,), body=body, options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    def suspend(self, sim: str, body: types.SimSuspend | None = None, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.SimActionAnswer:
        """Suspend a SIM.
        Bars it for now. The subscription and its rental go on.

        `POST /api/sim-billing/sims/{sim}/suspend`; scope `billing:write`
        """
        return self._caller.call(routes.SIMS_SUSPEND, (sim,), body=body, options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    def safe_custody(self, sim: str, body: types.SimSafeCustody | None = None, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.SimActionAnswer:
        """Put a SIM into safe custody.
        Parks it for some time at a lower fee; its number and address are kept. It ends by itself, or by activating the SIM.

        `POST /api/sim-billing/sims/{sim}/safe-custody`; scope `billing:write`
        """
        return self._caller.call(routes.SIMS_SAFE_CUSTODY, (sim,), body=body, options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    def terminate(self, sim: str, body: types.SimTerminate | None = None, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.SimActionAnswer:
        """Terminate a SIM.
        It is barred, and final after the grace of its connection. Until then `activate` takes it back.

        `POST /api/sim-billing/sims/{sim}/terminate`; scope `billing:write`
        """
        return self._caller.call(routes.SIMS_TERMINATE, (sim,), body=body, options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    def bulk(self, body: types.SimBulk, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.SimBulkAnswer:
        """Do the same with up to 500 SIMs.
        Each is judged by itself, and has a result; one that is refused keeps none of the others back.

        `POST /api/sim-billing/sims/bulk`; scope `billing:write`
        """
        return self._caller.call(routes.SIMS_BULK, body=body, options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    def list_actions(self, sim: str, *, limit: int | None = None, after: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.SimActionList:
        """List what was asked of the operator for a SIM, newest first.
        With what became of it. To a key of one sub-client, what was asked while that sub-client had the SIM.

        `GET /api/sim-billing/sims/{sim}/actions`; scope `billing:read`

        Args:
            limit: Most items in the answer. Preset: `100`.
            after: `pagination.endCursor` of the page before.
        """
        return self._caller.call(routes.SIMS_LIST_ACTIONS, (sim,), query={"limit": limit, "after": after}, options=CallOptions(timeout_s, max_retries, headers))

    def iterate_actions(self, sim: str, *, limit: int | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> Generator[types.SimAction, None, None]:
        """The items of every page of `list_actions`, fetched as they are read. `limit` is the length of a page."""
        return self._caller.iterate(routes.SIMS_LIST_ACTIONS, (sim,), query={"limit": limit}, options=CallOptions(timeout_s, max_retries, headers))


class Sync:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def start(self, body: types.SyncRequest | None = None, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.SyncAnswer:
        """Synchronise with the operators’ platforms.
        One run at a time of each reseller: asked for again meanwhile, it answers that one. It goes on by itself when this answer is given, also in another process.

        `POST /api/sim-billing/sync`; scope `billing:write`
        """
        return self._caller.call(routes.SYNC_START, body=body, options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    def get_latest(self, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.LatestSync:
        """Get the newest run of the synchronisation.

        `GET /api/sim-billing/sync`; scope `billing:read`
        """
        return self._caller.call(routes.SYNC_GET_LATEST, options=CallOptions(timeout_s, max_retries, headers))

    def get(self, sync_id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.SyncShown:
        """Get a run of the synchronisation.

        `GET /api/sim-billing/sync/{sync_id}`; scope `billing:read`
        """
        return self._caller.call(routes.SYNC_GET, (sync_id,), options=CallOptions(timeout_s, max_retries, headers))


class BillingSettings:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def get(self, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.BillingSettingsAnswer:
        """Who issues invoices, and how.

        `GET /api/sim-billing/billing-settings`; scope `billing:read`
        """
        return self._caller.call(routes.BILLING_SETTINGS_GET, options=CallOptions(timeout_s, max_retries, headers))

    def put(self, body: types.BillingSettingsUpdate, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.BillingSettingsAnswer:
        """Set billing up, or change how it is done.
        What is left out stays as it is. The first time, `currency` and `issuer` have to be given; from that month on, a draft is made of every month of every sub-client a day after its end. The currency stays as soon as there is an invoice, and a tax as long as a sub-client names it in its `tax_ids`: else 409.

        `PUT /api/sim-billing/billing-settings`; scope `billing:write`
        """
        return self._caller.call(routes.BILLING_SETTINGS_PUT, body=body, options=CallOptions(timeout_s, max_retries, headers))


class PriceList:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def get(self, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.PriceListAnswer:
        """Prices of the platform itself.

        `GET /api/sim-billing/price-list`; scope `billing:read`
        """
        return self._caller.call(routes.PRICE_LIST_GET, options=CallOptions(timeout_s, max_retries, headers))

    def put(self, body: types.PriceListUpdate, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.PriceListAnswer:
        """Set prices of the platform from a month on.
        Adds a version, unless it has the prices that hold in its month already. In a month the one with the newest `effective_from` up to it holds. Its month is after the newest one of which invoices are issued and not void: else 409, with the `earliest` month in its details.

        `PUT /api/sim-billing/price-list`; scope `billing:write`
        """
        return self._caller.call(routes.PRICE_LIST_PUT, body=body, options=CallOptions(timeout_s, max_retries, headers))


class Customers:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def get(self, sub_client_id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.BillingCustomerAnswer:
        """How a sub-client is billed.
        One that was never set up is billed by the terms of the settings, with a party made of its record.

        `GET /api/sim-billing/customers/{sub_client_id}`; scope `billing:read`
        """
        return self._caller.call(routes.CUSTOMERS_GET, (sub_client_id,), options=CallOptions(timeout_s, max_retries, headers))

    def put(self, sub_client_id: str, body: types.BillingCustomerUpdate, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.BillingCustomerAnswer:
        """Change how a sub-client is billed.
        What is left out stays as it is. It acts on drafts that are made from now on.

        `PUT /api/sim-billing/customers/{sub_client_id}`; scope `billing:write`
        """
        return self._caller.call(routes.CUSTOMERS_PUT, (sub_client_id,), body=body, options=CallOptions(timeout_s, max_retries, headers))


class RatePlans:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(self, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.RatePlanList:
        """List rate plans of SIMs.

        `GET /api/sim-billing/rate-plans`; scope `billing:read`
        """
        return self._caller.call(routes.RATE_PLANS_LIST, options=CallOptions(timeout_s, max_retries, headers))

    def create(self, body: types.RatePlanCreate, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.RatePlanAnswer:
        """Create a rate plan.

        `POST /api/sim-billing/rate-plans`; scope `billing:write`
        """
        return self._caller.call(routes.RATE_PLANS_CREATE, body=body, options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    def get(self, plan_id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.RatePlanAnswer:
        """Get a rate plan with its versions.

        `GET /api/sim-billing/rate-plans/{plan_id}`; scope `billing:read`
        """
        return self._caller.call(routes.RATE_PLANS_GET, (plan_id,), options=CallOptions(timeout_s, max_retries, headers))

    def put(self, plan_id: str, body: types.RatePlanUpdate, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.RatePlanAnswer:
        """Change a rate plan from a month on.
        Adds a version, unless nothing changes by it; what is left out stays as it is, prices as they hold in its month. An archived plan is in use again. Its month is after the newest one of which invoices are issued and not void: else 409, with the `earliest` month in its details.

        `PUT /api/sim-billing/rate-plans/{plan_id}`; scope `billing:write`
        """
        return self._caller.call(routes.RATE_PLANS_PUT, (plan_id,), body=body, options=CallOptions(timeout_s, max_retries, headers))

    def archive(self, plan_id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.RatePlanAnswer:
        """Archive a rate plan.
        It is not meant for further SIMs; those that have it are billed by it. Repeating it is fine.

        `DELETE /api/sim-billing/rate-plans/{plan_id}`; scope `billing:write`
        """
        return self._caller.call(routes.RATE_PLANS_ARCHIVE, (plan_id,), options=CallOptions(timeout_s, max_retries, headers))


class Invoices:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(self, *, status: Literal["draft", "open", "paid", "overdue", "void"] | None = None, period: str | None = None, sub_client_id: str | None = None, kind: Literal["invoice", "credit_note"] | None = None, issuer: Literal["reseller", "operator"] | None = None, limit: int | None = None, after: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.InvoiceList:
        """List invoices and credit notes, newest first.
        Those that the reseller issued to its sub-clients, and those that it was sent by the operator of the installation. A key of one sub-client gets its own that were issued.

        `GET /api/sim-billing/invoices`; scope `billing:read`

        Args:
            status: `draft`: may still be made anew. `open` and `overdue` are to be paid. A credit note is `paid`: nothing is to be paid.
            period: Only of this month.
            sub_client_id: Only to this sub-client.
            kind: A credit note has positive amounts: its kind shows that they are given back.
            issuer: `reseller`: to one of its sub-clients. `operator`: to the reseller, by the operator of the installation.
            limit: Most items in the answer. Preset: `100`.
            after: `pagination.endCursor` of the page before.
        """
        return self._caller.call(routes.INVOICES_LIST, query={"status": status, "period": period, "sub_client_id": sub_client_id, "kind": kind, "issuer": issuer, "limit": limit, "after": after}, options=CallOptions(timeout_s, max_retries, headers))

    def iterate(self, *, status: Literal["draft", "open", "paid", "overdue", "void"] | None = None, period: str | None = None, sub_client_id: str | None = None, kind: Literal["invoice", "credit_note"] | None = None, issuer: Literal["reseller", "operator"] | None = None, limit: int | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> Generator[types.InvoiceSummary, None, None]:
        """The items of every page of `list`, fetched as they are read. `limit` is the length of a page."""
        return self._caller.iterate(routes.INVOICES_LIST, query={"status": status, "period": period, "sub_client_id": sub_client_id, "kind": kind, "issuer": issuer, "limit": limit}, options=CallOptions(timeout_s, max_retries, headers))

    def get(self, invoice_id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.InvoiceAnswer:
        """Get an invoice with its lines, taxes and payments.

        `GET /api/sim-billing/invoices/{invoice_id}`; scope `billing:read`
        """
        return self._caller.call(routes.INVOICES_GET, (invoice_id,), options=CallOptions(timeout_s, max_retries, headers))

    def draft(self, body: types.InvoiceDraftRequest, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.InvoiceDraftAnswer:
        """Draft the invoices of a month.
        Months are drafted by themselves. This is for a month before billing was set up, for one that was discarded or voided, and with `replace` for drafts whose prices, terms or usage were corrected: they are rated anew, keep their id and get a new grace. What was issued is never changed. A sub-client that was created after the month is billed for it only where `sub_client_id` names it.

        `POST /api/sim-billing/invoices/draft`; scope `billing:write`
        """
        return self._caller.call(routes.INVOICES_DRAFT, body=body, options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    def open(self, invoice_id: str, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.InvoiceAnswer:
        """Open a draft before its grace is over.
        One that is open is answered as it is. One that is paid, overdue or void cannot be opened.

        `POST /api/sim-billing/invoices/{invoice_id}/open`; scope `billing:write`
        """
        return self._caller.call(routes.INVOICES_OPEN, (invoice_id,), options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    def void(self, invoice_id: str, body: types.InvoiceVoidRequest | None = None, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.InvoiceAnswer:
        """Discard a draft, or void an invoice that nobody has paid.
        A draft takes no number. An invoice that was issued keeps its own and is voided by a credit note over everything. The month can be drafted again. One of which something is paid is corrected by a credit note instead; when it is credited in full and the money went back, it is voided so that its month can be drafted again, as is one that came to nothing. One that is void is answered as it is.

        `POST /api/sim-billing/invoices/{invoice_id}/void`; scope `billing:write`
        """
        return self._caller.call(routes.INVOICES_VOID, (invoice_id,), body=body, options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    def create_credit_note(self, invoice_id: str, body: types.CreditNoteRequest, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.CreditNoteAnswer:
        """Correct an invoice that was issued by a credit note.
        Of some lines, or of everything that is not credited yet, with its taxes. What a gateway took of it is refunded; what came in otherwise is `unapplied_minor` of the invoice, and is given back by its issuer.

        `POST /api/sim-billing/invoices/{invoice_id}/credit-notes`; scope `billing:write`
        """
        return self._caller.call(routes.INVOICES_CREATE_CREDIT_NOTE, (invoice_id,), body=body, options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    def get_pdf(self, invoice_id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> bytes:
        """The invoice as PDF.

        `GET /api/sim-billing/invoices/{invoice_id}/pdf`; scope `billing:read`
        """
        return self._caller.call(routes.INVOICES_GET_PDF, (invoice_id,), options=CallOptions(timeout_s, max_retries, headers))

    def get_xml(self, invoice_id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> str:
        """The invoice as e-invoice (EN 16931, UBL 2.1).
        Of an invoice or credit note that was issued and is not void.

        `GET /api/sim-billing/invoices/{invoice_id}/xml`; scope `billing:read`
        """
        return self._caller.call(routes.INVOICES_GET_XML, (invoice_id,), options=CallOptions(timeout_s, max_retries, headers))

    def get_csv(self, invoice_id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> str:
        """The lines of the invoice as CSV.

        `GET /api/sim-billing/invoices/{invoice_id}/csv`; scope `billing:read`
        """
        return self._caller.call(routes.INVOICES_GET_CSV, (invoice_id,), options=CallOptions(timeout_s, max_retries, headers))

    def get_statement(self, invoice_id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.InvoiceStatement:
        """Everything an invoice or credit note was made from, signed.
        For its issuer, who may hand it on: `npx roadworthy verify-invoice` rates the month again from it, without the service. It holds prices and margin. Of a credit note it holds the invoice that it corrects, the notes before it and what was asked. The key is that of usage statements.

        `GET /api/sim-billing/invoices/{invoice_id}/statement`; scope `billing:read`
        """
        return self._caller.call(routes.INVOICES_GET_STATEMENT, (invoice_id,), options=CallOptions(timeout_s, max_retries, headers))

    def pay(self, invoice_id: str, body: types.PayRequest | None = None, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.Paying:
        """Open a payment of an invoice at a gateway.
        Of what is due now, in the currency of the invoice. Send the customer to `checkout_url`. One payment of an invoice may be open at a time: asking again gives the same one, until it ends. Another gateway, or another amount that is due, ends it at its gateway first. The reseller pays what it was sent by the operator of the installation, and may open payments for its sub-clients; a key of one sub-client pays its own.

        `POST /api/sim-billing/invoices/{invoice_id}/pay`; scope `billing:write`
        """
        return self._caller.call(routes.INVOICES_PAY, (invoice_id,), body=body, options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    def record_payment(self, invoice_id: str, body: types.RecordPaymentRequest, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.RecordedPaymentAnswer:
        """Record a payment that came in outside of a gateway.
        By the issuer of the invoice: a bank transfer, cash. A part may be paid; more than is open is 409 with what is open, because the service cannot give the rest back. The invoice is paid when nothing is left. A checkout that is open for more than is due then is ended.

        `POST /api/sim-billing/invoices/{invoice_id}/payments`; scope `billing:write`
        """
        return self._caller.call(routes.INVOICES_RECORD_PAYMENT, (invoice_id,), body=body, options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    def reverse_payment(self, invoice_id: str, payment_id: str, body: types.ReversePaymentRequest, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.RecordedPaymentAnswer:
        """Take back a payment that was recorded.
        By the issuer of the invoice: it was entered twice, the bank returned it, or it was given back. It stays in the list as `reversed`, is booked back, and what it had paid is due again. One that was taken back is answered as it is. A payment at a gateway is given back by a refund.

        `POST /api/sim-billing/invoices/{invoice_id}/payments/{payment_id}/reverse`; scope `billing:write`
        """
        return self._caller.call(routes.INVOICES_REVERSE_PAYMENT, (invoice_id, payment_id,), body=body, options=CallOptions(timeout_s, max_retries, headers, idempotency_key))


class GatewayConnections:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(self, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.GatewayConnectionList:
        """List connections to payment gateways, oldest first.
        Empty for a key of one sub-client.

        `GET /api/sim-billing/gateway-connections`; scope `*`
        """
        return self._caller.call(routes.GATEWAY_CONNECTIONS_LIST, options=CallOptions(timeout_s, max_retries, headers))

    def create(self, body: types.GatewayConnectionCreate, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.GatewayConnectionAnswer:
        """Connect an account at a payment gateway.
        Nothing is asked of the gateway yet: enter `callback_url` there, then test the connection.

        `POST /api/sim-billing/gateway-connections`; scope `*`
        """
        return self._caller.call(routes.GATEWAY_CONNECTIONS_CREATE, body=body, options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    def get(self, connection_id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.GatewayConnectionAnswer:
        """Get one connection to a payment gateway.
        With the address to enter at the gateway for its callbacks. Credentials are never shown.

        `GET /api/sim-billing/gateway-connections/{connection_id}`; scope `*`
        """
        return self._caller.call(routes.GATEWAY_CONNECTIONS_GET, (connection_id,), options=CallOptions(timeout_s, max_retries, headers))

    def update(self, connection_id: str, body: types.GatewayConnectionUpdate, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.GatewayConnectionAnswer:
        """Change a connection to a payment gateway.
        A webhook secret that is replaced stays valid for three days, because the gateway repeats what it signed with it. Another key has to be of the same account: once a payment was begun, the gateway is asked with it whether it knows that one, and another account is 409.

        `PUT /api/sim-billing/gateway-connections/{connection_id}`; scope `*`
        """
        return self._caller.call(routes.GATEWAY_CONNECTIONS_UPDATE, (connection_id,), body=body, options=CallOptions(timeout_s, max_retries, headers))

    def delete(self, connection_id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.GatewayConnectionDeleted:
        """Forget a connection to a payment gateway.
        Refused while payments, refunds or disputes of it are under way, and for five days after a payment came to nothing, because it may be paid late. Afterwards its callbacks are refused, so that refunds and disputes of old payments are not seen any more: switching it off is mostly what is wanted.

        `DELETE /api/sim-billing/gateway-connections/{connection_id}`; scope `*`
        """
        return self._caller.call(routes.GATEWAY_CONNECTIONS_DELETE, (connection_id,), options=CallOptions(timeout_s, max_retries, headers))

    def test(self, connection_id: str, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.GatewayConnectionTest:
        """Ask the gateway something that moves no money.

        `POST /api/sim-billing/gateway-connections/{connection_id}/test`; scope `*`
        """
        return self._caller.call(routes.GATEWAY_CONNECTIONS_TEST, (connection_id,), options=CallOptions(timeout_s, max_retries, headers, idempotency_key))


class Payments:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(self, *, invoice_id: str | None = None, status: Literal["pending", "paid", "failed", "expired", "canceled", "reversed"] | None = None, limit: int | None = None, after: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.PaymentList:
        """List payments, newest first.
        At gateways, and those that were recorded by hand (`recorded`).

        `GET /api/sim-billing/payments`; scope `billing:read`

        Args:
            invoice_id: Only of this invoice.
            status: `pending`: it may still be paid, and another payment of the invoice has to wait. A payment that ended may still become `paid`: some come through late. `reversed`: it was recorded by hand, and taken back.
            limit: Most items in the answer. Preset: `100`.
            after: `pagination.endCursor` of the page before.
        """
        return self._caller.call(routes.PAYMENTS_LIST, query={"invoice_id": invoice_id, "status": status, "limit": limit, "after": after}, options=CallOptions(timeout_s, max_retries, headers))

    def iterate(self, *, invoice_id: str | None = None, status: Literal["pending", "paid", "failed", "expired", "canceled", "reversed"] | None = None, limit: int | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> Generator[types.Payment, None, None]:
        """The items of every page of `list`, fetched as they are read. `limit` is the length of a page."""
        return self._caller.iterate(routes.PAYMENTS_LIST, query={"invoice_id": invoice_id, "status": status, "limit": limit}, options=CallOptions(timeout_s, max_retries, headers))

    def get(self, payment_id: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.PaymentAnswer:
        """Get one payment with its refunds and disputes.

        `GET /api/sim-billing/payments/{payment_id}`; scope `billing:read`
        """
        return self._caller.call(routes.PAYMENTS_GET, (payment_id,), options=CallOptions(timeout_s, max_retries, headers))

    def refund(self, payment_id: str, body: types.RefundRequest, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.PaymentAnswer:
        """Give back what was paid, or a part of it.
        By the issuer of the invoice. It is made at the gateway within seconds, and repeated until the gateway has it; an invoice that was paid by it is due again. Credit the invoice first where that is not meant.

        `POST /api/sim-billing/payments/{payment_id}/refund`; scope `billing:write`
        """
        return self._caller.call(routes.PAYMENTS_REFUND, (payment_id,), body=body, options=CallOptions(timeout_s, max_retries, headers, idempotency_key))

    def abandon(self, payment_id: str, body: types.AbandonRequest, *, idempotency_key: str | None = None, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.PaymentAnswer:
        """Give up a payment whose gateway gives no answer.
        By the issuer of the invoice, so that it can be paid in another way: for a payment that is `pending` and whose gateway has refused us or not answered for 24 hours (`unanswered_since`). The gateway is asked once more; where it answers, its answer counts, and the answer is 409. Money that comes of it later after all is booked, and given back where the invoice does not take it.

        `POST /api/sim-billing/payments/{payment_id}/abandon`; scope `billing:write`
        """
        return self._caller.call(routes.PAYMENTS_ABANDON, (payment_id,), body=body, options=CallOptions(timeout_s, max_retries, headers, idempotency_key))


class SimBillingApi:
    """SIMs, invoices and payments."""
    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self.operator_connections = OperatorConnections(caller)
        self.sims = Sims(caller)
        self.sync = Sync(caller)
        self.billing_settings = BillingSettings(caller)
        self.price_list = PriceList(caller)
        self.customers = Customers(caller)
        self.rate_plans = RatePlans(caller)
        self.invoices = Invoices(caller)
        self.gateway_connections = GatewayConnections(caller)
        self.payments = Payments(caller)
