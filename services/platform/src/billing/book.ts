// A book is everything that one issuer bills: a reseller's own, or that of the operator of the installation, who bills the resellers.

import type { Invoice } from './invoice.ts'

/** No reseller can have that name. */
export const OPERATOR_BOOK = '_operator'

/** Whose rows a transaction on an invoice touches: those of the invoice's reseller, and the issuer's book. For `database.tenant`. */
export function tenantsOf({ resellerId, issuerId }: Pick<Invoice, 'resellerId' | 'issuerId'>): string[] {
  return resellerId === issuerId ? [resellerId] : [resellerId, issuerId]
}

/** Whom the issuer bills: a sub-client, or in the operator's book a reseller. */
export function customerOf({ resellerId, subClientId }: Pick<Invoice, 'resellerId' | 'subClientId'>): string {
  return subClientId ?? resellerId
}
