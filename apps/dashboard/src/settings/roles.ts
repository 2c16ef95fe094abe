import type { User } from '@roadworthy/contracts/platform-v1/users'
import { t } from '../text/translate.ts'

export type Role = User['role']

type RoleWords = { readonly value: Role; readonly label: string; readonly may: string }

/** In the words of docs/people.md. */
export const roles: readonly RoleWords[] = [
  { value: 'owner', label: t('Owner'), may: t('May do everything.') },
  {
    value: 'member',
    label: t('Member'),
    may: t('May do everything but manage keys, people, brands and stream connections, and read the audit log.'),
  },
  { value: 'viewer', label: t('Viewer'), may: t('Looks at vehicles, alerts, maintenance, SIMs, invoices and usage, and changes nothing.') },
  {
    value: 'sub_client_viewer',
    label: t('Sub-client viewer'),
    may: t('Looks at the same of one sub-client, and sees nothing of the others.'),
  },
]

export function roleWords(role: Role): RoleWords {
  const found = roles.find(({ value }) => value === role)
  if (found === undefined) throw new Error(`There are no words for the role ${role}.`)
  return found
}

/** What a request contains of a role: a sub-client goes with the role of its viewers, and with no other. */
export function roleFields(role: Role, subClientId: string): { role: Role; subClientId: string | null } {
  return { role, subClientId: role === 'sub_client_viewer' ? subClientId.trim() : null }
}

export function isWholeRole(role: Role, subClientId: string): boolean {
  return role !== 'sub_client_viewer' || subClientId.trim() !== ''
}
