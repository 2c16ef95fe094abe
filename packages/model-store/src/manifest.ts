// What stands in `manifest.json` of a model directory, `models/<name>/<version>/`: which files belong to the model, what it takes, what it
// was trained on, how it does, and a few rows with the answers it must give.

import { canonicalJson } from '@roadworthy/service-kit/text/canonical-json'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { ModelError } from './model-error.ts'

export const MANIFEST_FILE = 'manifest.json'

const MAX_FILES = 64
const MAX_FEATURES = 10_000
const MAX_GOLDEN_ROWS = 1000
/** Room for the largest number of features and golden rows that a model of ours has, many times over. */
export const MAX_MANIFEST_BYTES = 8 * 1024 * 1024

const modelKinds = ['rul', 'life', 'classifier', 'normal', 'onnx'] as const
export type ModelKind = (typeof modelKinds)[number]

/** Of the manifest itself. Another one is of another release, whose other fields cannot be judged here. */
const SCHEMA_VERSION = 1

const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })
/** Also the name of a folder, and a part of an address. */
const MODEL_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/
const ModelName = Type.String({ pattern: MODEL_NAME.source })
const MODEL_VERSION = /^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$/
const ModelVersion = Type.String({ pattern: MODEL_VERSION.source })
/** Lies in the model's own folder. */
const FileName = Type.String({ pattern: '^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$' })

const ManifestFile = Type.Object({ path: FileName, sha256: Sha256, bytes: Type.Integer({ minimum: 0 }) })

const GoldenRow = Type.Object({
  /** In the order of the manifest's `features`; `null` is a missing value. */
  features: Type.Array(Type.Union([Type.Number(), Type.Null()]), { maxItems: MAX_FEATURES }),
  output: Type.Array(Type.Number(), { minItems: 1, maxItems: MAX_FEATURES }),
})

const ModelManifestSchema = Type.Object({
  schema_version: Type.Literal(SCHEMA_VERSION),
  name: ModelName,
  version: ModelVersion,
  kind: Type.Enum([...modelKinds]),
  /** One sentence on what the model is for. */
  description: Type.Optional(Type.String({ maxLength: 2000 })),
  files: Type.Array(ManifestFile, { minItems: 1, maxItems: MAX_FILES }),
  features: Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { minItems: 1, maxItems: MAX_FEATURES }),
  /** Names of the numbers of one output, in order. */
  outputs: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { minItems: 1, maxItems: MAX_FEATURES })),
  training_data: Type.Object({
    sha256: Sha256,
    rows: Type.Integer({ minimum: 0 }),
    units: Type.Integer({ minimum: 0 }),
    description: Type.String({ maxLength: 4000 }),
  }),
  metrics: Type.Record(Type.String(), Type.Number()),
  calibration: Type.Record(Type.String(), Type.Unknown()),
  seed: Type.Integer(),
  created_at: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$' }),
  golden_rows: Type.Array(GoldenRow, { maxItems: MAX_GOLDEN_ROWS }),
})
export type ModelManifest = Static<typeof ModelManifestSchema>

/** A manifest as it is before its files are written: `files` is made from them. */
export type ManifestDraft = Omit<ModelManifest, 'files' | 'schema_version'>

export function isModelName(text: string): boolean {
  return MODEL_NAME.test(text)
}

export function isModelVersion(text: string): boolean {
  return MODEL_VERSION.test(text)
}

/** Refuses what is not a whole manifest, and what contradicts itself. Keys it does not know are kept. */
export function checkManifest(value: unknown): ModelManifest {
  const foreign = findForeign(value)
  if (foreign !== undefined) throw new ModelError('manifest_invalid', `${MANIFEST_FILE}: ${foreign}.`)
  const [error] = Value.Errors(ModelManifestSchema, value)
  if (error !== undefined) {
    const place = error.instancePath === '' ? 'the manifest' : error.instancePath.slice(1).replaceAll('/', '.')
    throw new ModelError('manifest_invalid', `${MANIFEST_FILE}: ${place} ${error.message}.`)
  }
  const manifest = value as ModelManifest
  const contradiction = findContradiction(manifest)
  if (contradiction !== undefined) throw new ModelError('manifest_invalid', `${MANIFEST_FILE}: ${contradiction}.`)
  return manifest
}

/** What a release writes that this one does not know. */
function findForeign(value: unknown): string | undefined {
  const { schema_version: version, kind } = (value ?? {}) as { schema_version?: unknown; kind?: unknown }
  if (typeof version === 'number' && version !== SCHEMA_VERSION) {
    return `schema_version is ${version}; this release reads ${SCHEMA_VERSION}. Use the release that wrote the model, or train it again with this one`
  }
  if (typeof kind === 'string' && !modelKinds.some((known) => known === kind)) {
    return `kind is ${JSON.stringify(kind.slice(0, 64))}; this release knows ${modelKinds.join(', ')}`
  }
  return undefined
}

function findContradiction({ kind, files, features, outputs, golden_rows: goldenRows }: ModelManifest): string | undefined {
  const paths = files.map(({ path }) => path)
  if (new Set(paths).size !== paths.length) return 'files names one file twice'
  if (paths.includes(MANIFEST_FILE)) return `files names ${MANIFEST_FILE} itself`
  if (new Set(features).size !== features.length) return 'features names one feature twice'
  // Who brings a model of another maker may have nothing to compare it with; ours always do.
  if (goldenRows.length === 0 && kind !== 'onnx')
    return 'golden_rows is empty, so nothing shows that the model answers as it was trained to'
  const outputCount = outputs?.length ?? goldenRows[0]?.output.length
  for (const [at, row] of goldenRows.entries()) {
    if (row.features.length !== features.length) {
      return `golden_rows.${at} has ${row.features.length} features where the model takes ${features.length}`
    }
    if (row.output.length !== outputCount) return `golden_rows.${at} has ${row.output.length} outputs where ${outputCount} are expected`
  }
  return undefined
}

/** The same bytes for the same manifest: keys sorted, one line for each key of the top level, so that a change can be read. */
export function manifestBytes(manifest: ModelManifest): Uint8Array {
  const lines = Object.entries(manifest)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `  ${JSON.stringify(key)}: ${canonicalJson(member)}`)
  return Buffer.from(`{\n${lines.join(',\n')}\n}\n`)
}

/** For `created_at`: SOURCE_DATE_EPOCH where it is set, so that a build can be repeated to the byte (reproducible-builds.org). */
export function createdAt(sourceDateEpoch: string | undefined, nowMs: number): string {
  const isSet = sourceDateEpoch !== undefined && /^\d{1,11}$/.test(sourceDateEpoch)
  return new Date(isSet ? Number(sourceDateEpoch) * 1000 : nowMs).toISOString()
}
