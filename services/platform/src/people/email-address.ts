const MAX_LENGTH = 254
/** What HTML calls a valid e-mail address: one address, without a name or a list around it. */
const FORM = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/

/** Of a text in lower case. */
export function isEmailAddress(text: string): boolean {
  return text.length <= MAX_LENGTH && FORM.test(text)
}
