// Written by `npm run openapi` from docs/openapi/sim-billing.json and the table of methods. Changes belong there.

import type { RouteTable } from '../route.ts'

export const simBillingRoutes: RouteTable = {
  operatorConnections: {
    list: { method: 'GET', path: '/api/sim-billing/operator-connections', input: 'query', items: 'connections' },
    create: { method: 'POST', path: '/api/sim-billing/operator-connections', input: 'body', takesKey: true },
    get: { method: 'GET', path: '/api/sim-billing/operator-connections/{connection_id}' },
    update: { method: 'PUT', path: '/api/sim-billing/operator-connections/{connection_id}', input: 'body' },
    delete: { method: 'DELETE', path: '/api/sim-billing/operator-connections/{connection_id}' },
    test: { method: 'POST', path: '/api/sim-billing/operator-connections/{connection_id}/test', takesKey: true },
  },
  sims: {
    list: { method: 'GET', path: '/api/sim-billing/sims', input: 'query', items: 'sims' },
    create: { method: 'POST', path: '/api/sim-billing/sims', input: 'body', takesKey: true },
    get: { method: 'GET', path: '/api/sim-billing/sims/{sim}' },
    update: { method: 'PUT', path: '/api/sim-billing/sims/{sim}', input: 'body' },
    listHistory: { method: 'GET', path: '/api/sim-billing/sims/{sim}/history', input: 'query', items: 'history' },
    getUsage: { method: 'GET', path: '/api/sim-billing/sims/{sim}/usage', input: 'query' },
    listAnomalies: { method: 'GET', path: '/api/sim-billing/sims/{sim}/anomalies' },
    activate: { method: 'POST', path: '/api/sim-billing/sims/{sim}/activate', input: 'body', takesKey: true },
    suspend: { method: 'POST', path: '/api/sim-billing/sims/{sim}/suspend', input: 'body', takesKey: true },
    safeCustody: { method: 'POST', path: '/api/sim-billing/sims/{sim}/safe-custody', input: 'body', takesKey: true },
    terminate: { method: 'POST', path: '/api/sim-billing/sims/{sim}/terminate', input: 'body', takesKey: true },
    bulk: { method: 'POST', path: '/api/sim-billing/sims/bulk', input: 'body', takesKey: true },
    listActions: { method: 'GET', path: '/api/sim-billing/sims/{sim}/actions', input: 'query', items: 'actions' },
  },
  sync: {
    start: { method: 'POST', path: '/api/sim-billing/sync', input: 'body', takesKey: true },
    getLatest: { method: 'GET', path: '/api/sim-billing/sync' },
    get: { method: 'GET', path: '/api/sim-billing/sync/{sync_id}' },
  },
  billingSettings: {
    get: { method: 'GET', path: '/api/sim-billing/billing-settings' },
    put: { method: 'PUT', path: '/api/sim-billing/billing-settings', input: 'body' },
  },
  priceList: {
    get: { method: 'GET', path: '/api/sim-billing/price-list' },
    put: { method: 'PUT', path: '/api/sim-billing/price-list', input: 'body' },
  },
  customers: {
    get: { method: 'GET', path: '/api/sim-billing/customers/{sub_client_id}' },
    put: { method: 'PUT', path: '/api/sim-billing/customers/{sub_client_id}', input: 'body' },
  },
  ratePlans: {
    list: { method: 'GET', path: '/api/sim-billing/rate-plans' },
    create: { method: 'POST', path: '/api/sim-billing/rate-plans', input: 'body', takesKey: true },
    get: { method: 'GET', path: '/api/sim-billing/rate-plans/{plan_id}' },
    put: { method: 'PUT', path: '/api/sim-billing/rate-plans/{plan_id}', input: 'body' },
    archive: { method: 'DELETE', path: '/api/sim-billing/rate-plans/{plan_id}' },
  },
  invoices: {
    list: { method: 'GET', path: '/api/sim-billing/invoices', input: 'query', items: 'invoices' },
    get: { method: 'GET', path: '/api/sim-billing/invoices/{invoice_id}' },
    draft: { method: 'POST', path: '/api/sim-billing/invoices/draft', input: 'body', takesKey: true },
    open: { method: 'POST', path: '/api/sim-billing/invoices/{invoice_id}/open', takesKey: true },
    void: { method: 'POST', path: '/api/sim-billing/invoices/{invoice_id}/void', input: 'body', takesKey: true },
    createCreditNote: { method: 'POST', path: '/api/sim-billing/invoices/{invoice_id}/credit-notes', input: 'body', takesKey: true },
    getPdf: { method: 'GET', path: '/api/sim-billing/invoices/{invoice_id}/pdf', answers: ['bytes'] },
    getXml: { method: 'GET', path: '/api/sim-billing/invoices/{invoice_id}/xml', answers: ['text'] },
    getCsv: { method: 'GET', path: '/api/sim-billing/invoices/{invoice_id}/csv', answers: ['text'] },
    getStatement: { method: 'GET', path: '/api/sim-billing/invoices/{invoice_id}/statement' },
    pay: { method: 'POST', path: '/api/sim-billing/invoices/{invoice_id}/pay', input: 'body', takesKey: true },
    recordPayment: { method: 'POST', path: '/api/sim-billing/invoices/{invoice_id}/payments', input: 'body', takesKey: true },
    reversePayment: { method: 'POST', path: '/api/sim-billing/invoices/{invoice_id}/payments/{payment_id}/reverse', input: 'body', takesKey: true },
  },
  gatewayConnections: {
    list: { method: 'GET', path: '/api/sim-billing/gateway-connections' },
    create: { method: 'POST', path: '/api/sim-billing/gateway-connections', input: 'body', takesKey: true },
    get: { method: 'GET', path: '/api/sim-billing/gateway-connections/{connection_id}' },
    update: { method: 'PUT', path: '/api/sim-billing/gateway-connections/{connection_id}', input: 'body' },
    delete: { method: 'DELETE', path: '/api/sim-billing/gateway-connections/{connection_id}' },
    test: { method: 'POST', path: '/api/sim-billing/gateway-connections/{connection_id}/test', takesKey: true },
  },
  payments: {
    list: { method: 'GET', path: '/api/sim-billing/payments', input: 'query', items: 'payments' },
    get: { method: 'GET', path: '/api/sim-billing/payments/{payment_id}' },
    refund: { method: 'POST', path: '/api/sim-billing/payments/{payment_id}/refund', input: 'body', takesKey: true },
    abandon: { method: 'POST', path: '/api/sim-billing/payments/{payment_id}/abandon', input: 'body', takesKey: true },
  },
}
