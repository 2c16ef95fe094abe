/** How to sign in to the brokers of a message stream. */
export const saslMechanisms = ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'] as const
export type SaslMechanism = (typeof saslMechanisms)[number]
