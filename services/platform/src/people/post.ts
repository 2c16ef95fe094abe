import type { Language } from '@roadworthy/wording/languages'
import type { MailRefusal } from './mail-refusal.ts'

/** What a person is sent: a link that lets them set a password. */
export type Letter = {
  readonly kind: 'invitation' | 'password_reset'
  readonly email: string
  readonly resellerId: string
  readonly subClientId: string | undefined
  readonly token: string
  readonly expiresAt: Date
  /** Of the person, where it is known. */
  readonly language: Language | undefined
}

/** How letters reach people. Made in `main`, where it is known under which address the dashboard is found. */
export type Post = {
  /** Whether there is a mail server. */
  readonly isMailing: boolean
  /** The link, and whether a mail server took it. Where there is none, or it fails, the link is for the caller to hand over. */
  send(letter: Letter): Promise<{ url: string; isMailed: boolean }>
}

/** The words of a mail, in plain text, and in HTML where it has some. */
export type Notice = {
  readonly email: string
  /** Whose brand it bears: of a reseller, or of its sub-client. */
  readonly resellerId: string
  readonly subClientId: string | undefined
  /** Whom it is from, where that is not who owns the brand. */
  readonly senderName?: string
  /** The same for a notice that is sent again, so that a mail server can recognise it (RFC 5322 §3.6.4). Of [a-z0-9.-]. */
  readonly messageId: string
  /** `sender` is the name of the brand, `baseUrl` its dashboard, `colour` its colour as `#rrggbb`. */
  readonly write: (
    sender: string,
    baseUrl: string,
    colour: string | undefined,
  ) => {
    readonly subject: string
    readonly text: string
    readonly html?: string
    /** The same for notices that mail programs show together. Of [a-z0-9.-]. */
    readonly threadId?: string | undefined
    /** Where the person ends what sent it; undefined: they cannot. */
    readonly unsubscribeUrl?: string | undefined
  }
}

/** Whether a mail server took it, refused it for good, or may take it another time. */
export type MailOutcome = { readonly outcome: 'sent' } | MailRefusal

/** Why nothing is mailed where there is none. */
export const NO_MAIL_SERVER = 'The service has no mail server.'

/** How notices reach people. */
export type Notices = {
  /** Whether there is a mail server. */
  readonly isMailing: boolean
  /** Never rejects for what the mail server does. */
  notify(notice: Notice): Promise<MailOutcome>
}

/** The token stands behind the #, which browsers send to nobody: neither a log nor a referrer holds it. */
export function linkTo(baseUrl: string, { kind, token }: Pick<Letter, 'kind' | 'token'>): string {
  return `${baseUrl}/${kind === 'invitation' ? 'invitation' : 'password'}#${token}`
}
