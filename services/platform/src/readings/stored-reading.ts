/** A reading with all that PostgreSQL holds of it. Times in microseconds since 1970. */
export type StoredReading = {
  readonly sourceId: string
  readonly recordedAtUs: bigint
  /** Hexadecimal. */
  readonly digestHex: string
  readonly kind: 'telemetry' | 'track'
  readonly deviceId: string | null
  readonly vehicleId: string | null
  readonly subClientId: string | null
  readonly receivedAtUs: bigint
  readonly latitude: number | null
  readonly longitude: number | null
  readonly signals: Readonly<Record<string, unknown>>
  readonly attributes: Readonly<Record<string, unknown>>
}
