/** The last five are formats of phones and trackers, which come over HTTP. */
export type Receiver = 'rest' | 'mqtt' | 'stream' | 'osmand' | 'traccar' | 'flespi' | 'torque' | 'freematics'

export type SeenMessage = {
  readonly resellerId: string
  /** Id or IMEI, as the message or its connection names the device. */
  readonly device: string
  /** Of the key that sent it: what is not of this sub-client is not noted. */
  readonly subClientPin: string | undefined
  readonly receivedAtMs: number
  readonly receiver: Receiver | undefined
  readonly status: 'stored' | 'duplicate' | 'refused'
  readonly readingId: string | undefined
  readonly body: MessageBody
  readonly warnings: readonly { readonly field: string; readonly reason: string }[] | undefined
  readonly error: { readonly code: string; readonly message: string; readonly field: string | undefined } | undefined
}

export type MessageBody = { readonly text: string; readonly bytes: number; readonly isCut: boolean }
