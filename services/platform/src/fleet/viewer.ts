/** On whose behalf fleet and device functions work. A `Caller` is one. */
export type Viewer = {
  readonly resellerId: string
  /** When set, things outside this sub-client do not exist. */
  readonly subClientPin: string | undefined
}
