// Health, models, aliases and statistics of the engine (spec §4.3, §2.9).
import { type Static, Type } from 'typebox'

export const EngineHealth = Type.Object(
  {
    status: Type.String({ description: '`healthy` when up; `draining` while it stops.' }),
    version: Type.String(),
    models_loaded: Type.Boolean(),
    models_count: Type.Integer({ minimum: 0 }),
    uptime_seconds: Type.Number({ minimum: 0 }),
    license: Type.Optional(
      Type.Object(
        {
          status: Type.String({ description: '`valid`, `grace`, `expired`, `forged`, `missing` and the like.' }),
          message: Type.String(),
          expires_at: Type.Optional(Type.String()),
        },
        { title: 'LicenseState', description: 'In the edition that asks for a licence.' },
      ),
    ),
  },
  { title: 'EngineHealth', description: 'The engine is up.' },
)
export type EngineHealth = Static<typeof EngineHealth>

const numberOrigins = ['data', 'literature', 'benchmark', 'assumption'] as const

const NumberValue = Type.Union([Type.Number(), Type.String(), Type.Array(Type.Union([Type.Number(), Type.String()]))])

const EngineNumber = Type.Object(
  {
    name: Type.String({ description: 'File, constant and, in a table, column, as the code has them.' }),
    value: Type.Union([NumberValue, Type.Record(Type.String(), NumberValue)], {
      description: 'A number, the word that stands for one, such as a severity, a list, or values by name.',
    }),
    unit: Type.String(),
    origin: Type.Enum(numberOrigins, {
      type: 'string',
      description:
        '`data`: measured on recordings at hand. `literature`: a maker, a manual, a standard or a book. `benchmark`: set or checked by the benchmark of quality. `assumption`: a judgement, whatever it is based on.',
    }),
    source: Type.String({ description: 'Which recording, which manual, or why it was judged so.' }),
  },
  { title: 'EngineNumber', description: 'A number that decides what is reported, and where it comes from.' },
)

export const EngineModel = Type.Object(
  {
    name: Type.String(),
    type: Type.String({ description: '`rules` and `weibull` come from knowledge; learned models name their kind.' }),
    version: Type.String(),
    description: Type.String(),
    source: Type.String({ description: 'Where its figures come from.' }),
    status: Type.String({
      description: '`serving`; `kept`: a newer version, or the folder, was refused and this one goes on; `failed`: it does not answer.',
    }),
    reason: Type.Optional(Type.String({ description: 'Why it was kept or failed.' })),
    numbers: Type.Optional(
      Type.Array(EngineNumber, {
        description: 'Of knowledge: every number that it judges by. A learned model has what it was trained on instead.',
      }),
    ),
    numbers_by_origin: Type.Optional(
      Type.Record(Type.String(), Type.Integer({ minimum: 0 }), { description: 'How many of them have which origin.' }),
    ),
  },
  { title: 'EngineModel', additionalProperties: true, description: 'Further keys are its metrics.' },
)
export type EngineModel = Static<typeof EngineModel> & Readonly<Record<string, unknown>>

export const EngineModels = Type.Object(
  {
    models: Type.Array(EngineModel),
    problem: Type.Optional(Type.String({ description: 'Why the folder of models could not be read at the last look.' })),
  },
  { title: 'EngineModels', description: 'What answers predictions.' },
)

export const EngineAliases = Type.Object(
  {
    description: Type.String(),
    aliases: Type.Record(Type.String(), Type.Array(Type.String()), { description: 'Standard field to its aliases.' }),
  },
  { title: 'EngineAliases', description: 'The names that are mapped.' },
)
export type EngineAliases = Static<typeof EngineAliases>

/** Spec gap §4.3: counted since start, per replica; the rate is 100 when nothing was processed. */
export const EngineStatistics = Type.Object(
  {
    total_processed: Type.Integer({ minimum: 0, description: 'Predictions made since start, by this replica.' }),
    fully_standard: Type.Integer({ minimum: 0, description: 'Of those, inputs that used standard names only.' }),
    required_mapping: Type.Integer({ minimum: 0, description: 'Of those, inputs that used an alias.' }),
    standard_compliance_rate: Type.Number({ minimum: 0, maximum: 100, description: 'Per cent.' }),
  },
  { title: 'EngineStatistics', description: 'Counts since the start.' },
)
export type EngineStatistics = Static<typeof EngineStatistics>

export const EngineLive = Type.Object({ status: Type.String() }, { title: 'EngineLive', description: 'The process runs.' })
