// What the engine answers (spec §2.7, first shape, with the additions of DECISIONS).
import { healthStatuses, riskLevels } from '@roadworthy/signals/health-bands'
import { severities } from '@roadworthy/signals/severity'
import { type Static, Type } from 'typebox'
import { RESTS_ON_ASSUMPTION } from '../wire-fields.ts'

const engineComponents = [
  'engine',
  'cooling',
  'lubrication',
  'fuel',
  'transmission',
  'brakes',
  'battery',
  'charging',
  'intake',
  'emissions',
  'aftertreatment',
  'high_voltage',
  'chassis',
  'body',
  'network',
] as const
/** Most urgent first. */
const adviceActs = ['stop', 'now', 'plan', 'next_service', 'run_on'] as const
const alertUrgencies = ['monitor', 'routine', 'soon', 'urgent', 'immediate'] as const

const oneOf = <const Values extends readonly string[]>(values: Values, description: string) =>
  Type.Enum([...values] as unknown as Values, { type: 'string', description })

/** Named in one answer: a body may have a hundred thousand keys, and to find the nearest name takes longer than to predict. */
export const MAX_UNMAPPED_NAMES = 20
/** More than there are names of fields: only spellings (`cool_ant`, `coo_lant`) are as many, and an answer that names them all is as long as its message. */
export const MAX_IGNORED_NAMES = 100

const Score = Type.Number({ minimum: 0, maximum: 100 })
const Share = Type.Number({ minimum: 0, maximum: 1 })
const Days = Type.Number({ minimum: 0 })

const componentScores = Type.Record(Type.String(), Score, {
  description:
    'Health of each component, 0 to 100. Engine, cooling, lubrication, fuel, transmission, brakes, battery, charging; intake, emissions, aftertreatment, high_voltage, chassis, body and network only when a code names them.',
})
const remainingUsefulLifeInterval = Type.Record(Type.String(), Type.Array(Days, { minItems: 2, maxItems: 2 }), {
  description: 'Component to `[p10, p90]` in days.',
})
const confidence = Type.Number({
  minimum: 0,
  maximum: 1,
  description: 'How much was reported, not how likely the answer is right. It rises with every valid field and with history.',
})
const componentConfidence = Type.Record(Type.String(), Share, {
  description:
    'For each component of `remainingUsefulLife`, how well it is known: 0.1 where the interval is as wide as for a vehicle of which nothing is known, to 0.95 for one without any width. Where it follows from a finding, no more than the share of condition that the component has lost.',
})

export const EngineAdvice = Type.Object(
  {
    act: oneOf(
      adviceActs,
      'Stop as soon as it is safe; go to a workshop now; plan the work within days; by the next service; nothing to do.',
    ),
    interval: Type.Optional(
      Type.Array(Days, { minItems: 2, maxItems: 2, description: '`[p10, p90]` in days that the component still lasts, where known.' }),
    ),
    what: Type.String({ description: 'What to do.' }),
    why: Type.String({ description: 'The evidence, in one sentence.' }),
    risk: Type.String({ description: 'What waiting risks.' }),
  },
  { title: 'EngineAdvice' },
)
export type EngineAdvice = Static<typeof EngineAdvice>
const advice = Type.Record(Type.String(), EngineAdvice, {
  description: 'What to do, for each component that something was found on or whose life is ending. A component that is not here runs on.',
})

export const EngineAlert = Type.Object(
  {
    type: Type.String({ description: 'With `component` the identity of the alert, the same from one prediction to the next.' }),
    component: oneOf(engineComponents, 'The part it is about.'),
    severity: oneOf(severities, 'Mildest first.'),
    description: Type.String({ description: 'A few words: what is wrong.' }),
    message: Type.String({ description: 'One sentence that names the reading and the threshold.' }),
    urgency: oneOf(alertUrgencies, 'How soon to act.'),
    code: Type.Optional(
      Type.String({
        description: 'The fault code, for an alert that comes from one, with its failure-type byte where it was sent: `C0035-64`.',
      }),
    ),
    evidence: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'What drove it: `signal` or `lamp` (a field of the input), `value`, `threshold`, `unit`, `heldSeconds`, `stateOfChargePct` of a battery at rest; of fault codes `codes`, `titles` (plain words, in the same order) and `drivingOn` (what the worst one means for driving on); of a life that ends `age`, `clock`, `wornSharePct`, `medianDays`, `p10Days`, `p90Days` and `basis`.',
    }),
    incident: Type.String({ description: 'The `cause` of the incident that it belongs to.' }),
  },
  { title: 'EngineAlert' },
)
export type EngineAlert = Static<typeof EngineAlert>

export const EngineIncident = Type.Object(
  {
    cause: Type.String({ description: 'One of a vehicle at a time, and the same from one prediction to the next.' }),
    component: oneOf(engineComponents, 'The part it is about.'),
    severity: oneOf(severities, 'Of the worst evidence.'),
    title: Type.String({ description: 'A few words: what is wrong.' }),
    recommendation: Type.String(),
    healthLost: Type.Number({ minimum: 0, maximum: 100, description: 'Points that `healthScore` would gain if it were not there.' }),
    evidence: Type.Array(
      Type.Object(
        {
          type: Type.String(),
          component: oneOf(engineComponents, 'Of the alert of this type.'),
          severity: oneOf(severities, 'Of this piece of evidence.'),
          message: Type.String(),
          code: Type.Optional(Type.String()),
        },
        { title: 'EngineEvidence' },
      ),
      { description: 'The readings, codes and lamps that have this one cause: an alert each. The most specific come first, lamps last.' },
    ),
  },
  { title: 'EngineIncident', description: 'Findings with one cause, which count once.' },
)
export type EngineIncident = Static<typeof EngineIncident>

export const EnginePredictions = Type.Object(
  {
    healthScore: Type.Number({ minimum: 0, maximum: 100, description: 'Near the worst component, never a mean.' }),
    healthStatus: oneOf(healthStatuses, 'At least 70, at least 40, below 40.'),
    riskLevel: oneOf(riskLevels, `By \`maintenanceProbability\`: below 0.10, 0.35, 0.65, and above. ${RESTS_ON_ASSUMPTION}`),
    maintenanceNeeded: Type.Boolean(),
    maintenanceProbability: Type.Number({
      minimum: 0,
      maximum: 1,
      description: `That some component needs work within 30 days, from published lives and what was found. ${RESTS_ON_ASSUMPTION}`,
    }),
    remainingUsefulLife: Type.Record(Type.String(), Days, { description: 'Component to days, median.' }),
    remainingUsefulLifeInterval,
    anomalyScore: Share,
    anomalyDetected: Type.Boolean(),
    anomalyBasis: Type.Array(Type.String(), {
      description: 'Fields that `anomalyScore` was judged by. Empty where none could be judged: a score of 0 then means nothing.',
    }),
    components: componentScores,
    confidence,
    componentConfidence,
    advice,
  },
  { title: 'EnginePredictions' },
)
export type EnginePredictions = Static<typeof EnginePredictions>

/** Spec gap §2.6: a unit is doubted in words; the value is used, or left out, as if it had not been. */
export const EngineUnitSuggestion = Type.Object(
  {
    field: Type.String({ description: 'Standard name of the field.' }),
    unit: Type.String({ description: 'The unit of that field.' }),
    suspectedUnit: Type.String({ description: 'The unit it seems to be sent in.' }),
    value: Type.Number({ description: 'As sent.' }),
    convertedValue: Type.Number({ description: 'What that is in the unit of the field, if it was sent in the other one.' }),
    readings: Type.Integer({ minimum: 1, description: 'Of this input and its history, those that show it.' }),
    reason: Type.String({ description: 'One sentence with the evidence.' }),
  },
  { title: 'EngineUnitSuggestion', description: 'A unit that the sender should look at. Nothing was converted.' },
)
export type EngineUnitSuggestion = Static<typeof EngineUnitSuggestion>

/**
 * Spec gap §2.7: DECISIONS adds confidence, components and the interval to the answer. They stand beside `predictions`, and in it as
 * well, because the External API passes that one object on.
 */
export const EngineOutput = Type.Object(
  {
    vehicleId: Type.String(),
    timestamp: Type.String({ format: 'date-time', description: 'Of the reading that was judged.' }),
    processingTimeMs: Type.Number({ minimum: 0 }),
    predictions: EnginePredictions,
    alerts: Type.Array(EngineAlert, { description: 'Worst first.' }),
    incidents: Type.Array(EngineIncident, { description: 'The alerts by their cause, worst first.' }),
    advice,
    insights: Type.Array(Type.String(), { description: 'What was found and not found, with readings and thresholds.' }),
    recommendations: Type.Array(Type.String()),
    confidence,
    components: componentScores,
    remainingUsefulLifeInterval,
    missingFields: Type.Array(Type.String(), { description: 'Standard fields that would raise confidence.' }),
    modelVersion: Type.String(),
    _schemaMapping: Type.Optional(
      Type.Object(
        {
          autoMapped: Type.Boolean(),
          mappedFields: Type.Record(Type.String(), Type.String(), { description: 'Alias to standard name.' }),
          ignored: Type.Optional(
            Type.Array(Type.String(), {
              maxItems: MAX_IGNORED_NAMES,
              description: 'Aliases whose field was there under another name too; the first of them where there are more.',
            }),
          ),
          unmapped: Type.Optional(
            Type.Array(
              Type.Object(
                {
                  field: Type.String({ description: 'The key as it was sent, cut after 128 characters.' }),
                  closest: Type.Union([Type.String(), Type.Null()], {
                    description: 'The standard field whose name is nearest, where one is near.',
                  }),
                },
                { title: 'UnmappedField' },
              ),
              { maxItems: MAX_UNMAPPED_NAMES, description: 'Keys that mean no field, those of `history` among them.' },
            ),
          ),
          suggestions: Type.Optional(Type.Array(EngineUnitSuggestion, { description: 'Fields whose unit seems to be another one.' })),
        },
        { title: 'SchemaMapping', description: 'Only when aliases were used, a key is not known, or a unit is doubted.' },
      ),
    ),
    _validation: Type.Optional(
      Type.Object(
        {
          ignored: Type.Array(Type.String(), {
            description: 'Fields that were dropped; `history.` and the field where it was dropped from readings of `history`.',
          }),
          reasons: Type.Record(Type.String(), Type.String(), { description: 'Field to why.' }),
        },
        { title: 'InputValidation', description: 'Only when fields were dropped.' },
      ),
    ),
  },
  { title: 'EngineOutput', description: 'The prediction.' },
)
export type EngineOutput = Static<typeof EngineOutput>

export const EngineBatchItemError = Type.Object(
  {
    vehicleId: Type.Union([Type.String(), Type.Null()], { description: 'As given, where it was given.' }),
    error: Type.Object({ code: Type.String(), message: Type.String() }, { title: 'EngineItemProblem' }),
  },
  { title: 'EngineBatchItemError' },
)
export type EngineBatchItemError = Static<typeof EngineBatchItemError>

export const EngineBatchOutput = Type.Object(
  {
    count: Type.Integer({ minimum: 0, description: 'The number of inputs.' }),
    processingTimeMs: Type.Number({ minimum: 0 }),
    predictions: Type.Array(Type.Union([EngineOutput, EngineBatchItemError]), { description: 'One for each input, in its place.' }),
  },
  { title: 'EngineBatchOutput', description: 'A prediction or an error for each input, in its place.' },
)
export type EngineBatchOutput = Static<typeof EngineBatchOutput>
