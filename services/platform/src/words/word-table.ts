import type { en } from './en.ts'

export type MessageKey = keyof typeof en

/** A language that lacks a message, or has one that nobody says, does not compile. */
export type WordTable = Readonly<Record<MessageKey, string>>
