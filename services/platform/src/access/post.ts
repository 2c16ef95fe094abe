/** What a person is sent: a link that lets them set a password. */
export type Letter = {
  readonly kind: 'invitation' | 'password_reset'
  readonly email: string
  readonly resellerId: string
  readonly subClientId: string | undefined
  readonly token: string
  readonly expiresAt: Date
}

/** How letters reach people. Made in `main`, where it is known under which address the dashboard is found. */
export type Post = {
  /** Whether there is a mail server. */
  readonly isMailing: boolean
  /** The link, and whether a mail server took it. Where there is none, or it fails, the link is for the caller to hand over. */
  send(letter: Letter): Promise<{ url: string; isMailed: boolean }>
}

/** The token stands behind the #, which browsers send to nobody: neither a log nor a referrer holds it. */
export function linkTo(baseUrl: string, { kind, token }: Pick<Letter, 'kind' | 'token'>): string {
  return `${baseUrl}/${kind === 'invitation' ? 'invitation' : 'password'}#${token}`
}
