// How far the proof of a host name is, in sentences.

import type { HostProof } from '@roadworthy/contracts/platform-v1/brands'
import { timeAgo } from '../text/format.ts'
import { t } from '../text/translate.ts'

export type HostState = { readonly kind: 'proved' | 'at risk' | 'waiting' | 'missing'; readonly label: string; readonly text: string }

export function hostState({ status, provedBy, checkedAt, problem }: HostProof, nowMs: number): HostState {
  const ago = timeAgo(checkedAt, nowMs)
  if (status === 'proved' && provedBy === 'operator') {
    return { kind: 'proved', label: t('Confirmed'), text: t('The operator of this service has confirmed that the name is yours.') }
  }
  if (status === 'proved' && problem !== null) {
    return {
      kind: 'at risk',
      label: t('Proved, record not found'),
      text: t('The record was not found {ago}. After three daily checks without it the name shows your brand no more.', { ago }),
    }
  }
  if (status === 'proved') {
    return { kind: 'proved', label: t('Proved'), text: t('Leave the record there: it is looked for daily, last {ago}.', { ago }) }
  }
  if (checkedAt === null) return { kind: 'waiting', label: t('Waiting'), text: t('The record is looked for within a minute.') }
  if (problem === 'taken') {
    return {
      kind: 'missing',
      label: t('Taken'),
      text: t('The record is there, but another brand has proved this name. Ask the operator of this service.'),
    }
  }
  if (problem === 'unreachable') {
    return { kind: 'waiting', label: t('DNS does not answer'), text: t('DNS did not answer {ago}. It is asked again by itself.', { ago }) }
  }
  return {
    kind: 'missing',
    label: t('Record not found'),
    text: t('There was no such record {ago}. It is looked for again by itself, at least every six hours.', { ago }),
  }
}

/** With `host` first: links in mails begin with the first that is proved. */
export function withPrimary(hosts: readonly string[], host: string): string[] {
  return [host, ...hosts.filter((each) => each !== host)]
}

/** As it may be pasted: without scheme, port and path. */
export function hostOf(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/^[a-z]+:\/\//, '')
    .replace(/[/:?#].*$/, '')
}
