/** Something that was started, and how it is stopped. */
export type Part = { readonly name: string; stop(): Promise<unknown> }
