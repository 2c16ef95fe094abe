import { errorResponses } from '@roadworthy/contracts/sim-billing/errors'
import type { App } from '@roadworthy/service-kit/http/http'
import { simBillingSurface } from './errors.ts'
import { mountSurface, type SurfaceDeps } from './mount.ts'

export const SIM_BILLING_PREFIX = '/api/sim-billing'

/** SIMs, invoices and payments at `/api/sim-billing`, the page at `/api/sim-billing/docs`, the document at `/openapi/sim-billing.json`. */
export function mountSimBilling(root: App, deps: SurfaceDeps): Promise<void> {
  return mountSurface(root, deps, {
    name: 'sim-billing',
    prefix: SIM_BILLING_PREFIX,
    surface: simBillingSurface,
    errorResponses,
    docsPath: '/api/sim-billing/docs',
    jsonPath: '/openapi/sim-billing.json',
    docs: {
      title: 'Roadworthy SIM and billing API',
      description:
        'For resellers: SIMs at the platforms of mobile-network operators, monthly invoices, and payments. Send the key as `X-API-Key`. Keys, ' +
        'limits and errors are those of the External API. Amounts are whole numbers of minor units of a currency of ISO 4217.',
      tags: [
        { name: 'SIMs', description: 'SIMs, their states, and what they use.' },
        { name: 'Operators', description: 'Connections to the platforms of mobile-network operators, and synchronisation with them.' },
        { name: 'Billing', description: 'Who issues invoices, at which prices and taxes, and to whom.' },
        { name: 'Invoices', description: 'Monthly invoices and credit notes.' },
        { name: 'Payments', description: 'Paying an invoice, and what gateways report.' },
      ],
    },
  })
}
