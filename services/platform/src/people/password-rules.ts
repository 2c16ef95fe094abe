import { Problem } from '@roadworthy/service-kit/http/problem'

/** NIST SP 800-63B asks for length and for refusing what is commonly used, and for no rules about which characters. */
const MIN_LENGTH = 10
const MAX_LENGTH = 200

/** Of the commonest leaked passwords those that are long enough to pass otherwise, and ours. Compared in lower case. */
const COMMONEST = new Set(
  `0123456789 0987654321 1234567890 12345678910 1234567891 123456789a 123456789q 9876543210 987654321a 1q2w3e4r5t 1q2w3e4r5t6y q1w2e3r4t5
   q1w2e3r4t5y6 1qaz2wsx3edc zaq12wsxcde qwertyuiop qwertyuiop1 qwertyuiop123 qwerty12345 qwerty123456 qwerty1234 qwertyuiop[] asdfghjkl1
   asdfghjkl123 asdfghjkl; abcdefghij abcdefghijk abcd123456 abc1234567 a123456789 aa12345678 password12 password123 password1234
   password12345 password123456 password!1 password1! passw0rd123 p@ssw0rd123 p@ssword123 passwordpassword mypassword mypassword1 letmein123
   letmeinnow welcome123 welcome1234 welcome2024 welcome2025 welcome2026 admin12345 admin123456 administrator administrator1 changeme123
   changeme1234 changemenow iloveyou12 iloveyou123 iloveyou1234 iloveyou2 football123 baseball123 basketball princess123 sunshine123
   superman123 michael123 charlie123 jennifer123 liverpool1 chocolate1 dragon12345 monkey12345 trustno1234 test123456 testtest123 secret1234
   summer2024 summer2025 summer2026 winter2024 winter2025 winter2026 spring2025 spring2026 autumn2025 autumn2026 startrek123 starwars123
   correcthorsebatterystaple roadworthy roadworthy1 roadworthy12 roadworthy123 telematics telematics1 telematics123`.split(/\s+/),
)

/** Refuses what is too short, too long, too common, or the person's own address. Throws `Problem('invalid_request')`. */
export function assertPassword(password: string, email: string, field: string): void {
  const refuse = (message: string) => new Problem('invalid_request', message, { details: { in: 'body', field } })
  if (password.length < MIN_LENGTH || password.length > MAX_LENGTH) {
    throw refuse(`A password has ${MIN_LENGTH} to ${MAX_LENGTH} characters.`)
  }
  const plain = password.normalize('NFKC').trim().toLowerCase()
  const [mailbox] = email.split('@')
  if (plain === email || plain === mailbox) throw refuse('The e-mail address is no password. Take one that others do not know.')
  if (COMMONEST.has(plain) || new Set(plain).size <= 2) {
    throw refuse('This password is among those that are tried first. Take one that others do not use.')
  }
}
