// What names of Kafka look like. Apart from the client, which costs 15 MB to load.

/** Kafka, `Topic.LEGAL_CHARS` and its longest name. */
export const KAFKA_TOPIC = /^(?!\.{1,2}$)[\w.-]{1,249}$/

const MAX_PORT = 65_535

/** `HOST:PORT`, an IPv6 address in brackets. */
export function isBrokerAddress(text: string): boolean {
  const port = /^(?:[\w.-]+|\[[0-9a-f:]+\]):(\d{1,5})$/i.exec(text)?.[1]
  return port !== undefined && Number(port) >= 1 && Number(port) <= MAX_PORT
}
