import type { SurfaceMethods } from './method-table.ts'

export const simBillingMethods: SurfaceMethods = {
  prefix: '/api/sim-billing',
  methods: {
    operatorConnections: {
      list: 'GET /operator-connections',
      create: 'POST /operator-connections',
      get: 'GET /operator-connections/{connection_id}',
      update: 'PUT /operator-connections/{connection_id}',
      delete: 'DELETE /operator-connections/{connection_id}',
      test: 'POST /operator-connections/{connection_id}/test',
    },
    sims: {
      list: 'GET /sims',
      create: 'POST /sims',
      get: 'GET /sims/{sim}',
      update: 'PUT /sims/{sim}',
      listHistory: 'GET /sims/{sim}/history',
      getUsage: 'GET /sims/{sim}/usage',
      listAnomalies: 'GET /sims/{sim}/anomalies',
      activate: 'POST /sims/{sim}/activate',
      suspend: 'POST /sims/{sim}/suspend',
      safeCustody: 'POST /sims/{sim}/safe-custody',
      terminate: 'POST /sims/{sim}/terminate',
      bulk: 'POST /sims/bulk',
      listActions: 'GET /sims/{sim}/actions',
    },
    sync: { start: 'POST /sync', getLatest: 'GET /sync', get: 'GET /sync/{sync_id}' },
    billingSettings: { get: 'GET /billing-settings', put: 'PUT /billing-settings' },
    priceList: { get: 'GET /price-list', put: 'PUT /price-list' },
    customers: { get: 'GET /customers/{sub_client_id}', put: 'PUT /customers/{sub_client_id}' },
    ratePlans: {
      list: 'GET /rate-plans',
      create: 'POST /rate-plans',
      get: 'GET /rate-plans/{plan_id}',
      put: 'PUT /rate-plans/{plan_id}',
      archive: 'DELETE /rate-plans/{plan_id}',
    },
    invoices: {
      list: 'GET /invoices',
      get: 'GET /invoices/{invoice_id}',
      draft: 'POST /invoices/draft',
      open: 'POST /invoices/{invoice_id}/open',
      void: 'POST /invoices/{invoice_id}/void',
      createCreditNote: 'POST /invoices/{invoice_id}/credit-notes',
      getPdf: 'GET /invoices/{invoice_id}/pdf',
      getXml: 'GET /invoices/{invoice_id}/xml',
      getCsv: 'GET /invoices/{invoice_id}/csv',
      getStatement: 'GET /invoices/{invoice_id}/statement',
      pay: 'POST /invoices/{invoice_id}/pay',
      recordPayment: 'POST /invoices/{invoice_id}/payments',
      reversePayment: 'POST /invoices/{invoice_id}/payments/{payment_id}/reverse',
    },
    gatewayConnections: {
      list: 'GET /gateway-connections',
      create: 'POST /gateway-connections',
      get: 'GET /gateway-connections/{connection_id}',
      update: 'PUT /gateway-connections/{connection_id}',
      delete: 'DELETE /gateway-connections/{connection_id}',
      test: 'POST /gateway-connections/{connection_id}/test',
    },
    payments: {
      list: 'GET /payments',
      get: 'GET /payments/{payment_id}',
      refund: 'POST /payments/{payment_id}/refund',
      abandon: 'POST /payments/{payment_id}/abandon',
    },
  },
}

/** What payment gateways call, not clients: a client of ours could not sign it. */
export const calledByGateways = [
  'POST /api/sim-billing/payments/callback/{gateway}/{connection_id}',
  'POST /api/sim-billing/payments/callback/{gateway}',
]
