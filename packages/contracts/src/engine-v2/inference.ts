// The Open Inference Protocol v2, REST: what KServe, Triton and their clients speak. Names and shapes are the protocol's.
import { type Static, Type } from 'typebox'

/** Kinds of numbers that the protocol names and a model of features can take. */
export const numericDatatypes = ['FP32', 'FP64', 'INT8', 'INT16', 'INT32', 'INT64', 'UINT8', 'UINT16', 'UINT32', 'UINT64'] as const
export type NumericDatatype = (typeof numericDatatypes)[number]

const Shape = Type.Array(Type.Integer({ minimum: -1 }), { description: '-1 stands for any number of rows.' })

const TensorMetadata = Type.Object({ name: Type.String(), datatype: Type.String(), shape: Shape }, { title: 'TensorMetadata' })

export const ServerMetadata = Type.Object(
  { name: Type.String(), version: Type.String(), extensions: Type.Array(Type.String()) },
  { title: 'ServerMetadata', description: 'What serves.' },
)

export const ServerLive = Type.Object({ live: Type.Boolean() }, { title: 'ServerLive', description: 'The process answers.' })
export const ServerReady = Type.Object({ ready: Type.Boolean() }, { title: 'ServerReady', description: 'It takes requests.' })
export const ModelReady = Type.Object(
  { name: Type.String(), ready: Type.Boolean() },
  { title: 'ModelReady', description: 'The model takes requests.' },
)

export const ModelMetadata = Type.Object(
  {
    name: Type.String(),
    versions: Type.Array(Type.String(), { description: 'The one version that is served.' }),
    platform: Type.String(),
    inputs: Type.Array(TensorMetadata),
    outputs: Type.Array(TensorMetadata),
    parameters: Type.Object(
      { features: Type.Array(Type.String(), { description: 'What each column of the input is, in order.' }), created_at: Type.String() },
      { title: 'ModelMetadataParameters', additionalProperties: true },
    ),
  },
  { title: 'ModelMetadata', description: 'What the model takes and gives.' },
)
export type ModelMetadata = Static<typeof ModelMetadata>

const TensorValues = Type.Array(Type.Union([Type.Number(), Type.Null(), Type.Array(Type.Union([Type.Number(), Type.Null()]))]), {
  description: 'Row by row, flat or as an array of rows. `null` is a missing value.',
})

/** The protocol lets clients and servers add to requests what the other does not know. */
const extensible = { additionalProperties: true }

const InferInput = Type.Object(
  {
    name: Type.String({ description: '`features`.' }),
    shape: Type.Array(Type.Integer({ minimum: 0 }), { description: 'Rows and features.' }),
    datatype: Type.Enum([...numericDatatypes]),
    parameters: Type.Optional(
      Type.Object(
        { binary_data_size: Type.Optional(Type.Integer({ description: 'Bytes of this tensor behind the JSON, in the place of `data`.' })) },
        { title: 'InferInputParameters', additionalProperties: true },
      ),
    ),
    data: Type.Optional(TensorValues),
  },
  { title: 'InferInput', ...extensible },
)

export const InferRequest = Type.Object(
  {
    id: Type.Optional(Type.String({ description: 'Comes back with the answer.' })),
    parameters: Type.Optional(
      Type.Object(
        {
          binary_data_output: Type.Optional(
            Type.Boolean({ description: 'Outputs as bytes behind the JSON, where the outputs do not choose.' }),
          ),
        },
        { title: 'InferRequestParameters', additionalProperties: true },
      ),
    ),
    inputs: Type.Array(InferInput, { minItems: 1, maxItems: 1 }),
    outputs: Type.Optional(
      Type.Array(
        Type.Object(
          {
            name: Type.String(),
            parameters: Type.Optional(
              Type.Object({ binary_data: Type.Optional(Type.Boolean()) }, { title: 'RequestedOutputParameters', ...extensible }),
            ),
          },
          { title: 'RequestedOutput', ...extensible },
        ),
        { description: 'Which outputs are wanted; all by default.' },
      ),
    ),
  },
  { title: 'InferRequest', ...extensible },
)

const InferOutput = Type.Object(
  {
    name: Type.String(),
    shape: Type.Array(Type.Integer({ minimum: 0 })),
    datatype: Type.Literal('FP64'),
    data: Type.Optional(Type.Array(Type.Union([Type.Number(), Type.Null()]))),
    parameters: Type.Optional(Type.Object({ binary_data_size: Type.Integer() }, { title: 'InferOutputParameters' })),
  },
  { title: 'InferOutput' },
)

export const InferResponse = Type.Object(
  {
    model_name: Type.String(),
    model_version: Type.String(),
    id: Type.Optional(Type.String()),
    outputs: Type.Array(InferOutput),
  },
  { title: 'InferResponse', description: 'One output for each number that the model gives, one row for each row of the input.' },
)
export type InferResponse = Static<typeof InferResponse>
