// `manifest.json` of a base backup: a copy of the files of an embedded PostgreSQL, from which the archived log goes on.

import { type Static, Type } from 'typebox'
import { FileSchema, SealedFileSchema } from './manifest.ts'
import { KeyBoxSchema } from './passphrase.ts'

export const BASE_FORMAT = 'roadworthy-base-backup'
export const BASE_FORMAT_VERSION = 1

const Segment = Type.String({ pattern: '^[0-9A-F]{24}$' })

export const BaseManifestSchema = Type.Object({
  format: Type.Literal(BASE_FORMAT),
  formatVersion: Type.Integer(),
  productVersion: Type.String(),
  madeAt: Type.String(),
  postgresVersion: Type.String(),
  startedAt: Type.String(),
  /** The log is needed from this segment on, and up to the other at least. */
  startWal: Segment,
  stopWal: Segment,
  files: Type.Array(FileSchema),
  folders: Type.Array(Type.String({ pattern: '^(?!.*\\.\\.)[A-Za-z0-9_./-]+$' })),
  history: Type.Object({ isIncluded: Type.Boolean(), files: Type.Array(SealedFileSchema) }),
  keys: KeyBoxSchema,
})
export type BaseManifest = Static<typeof BaseManifestSchema>
