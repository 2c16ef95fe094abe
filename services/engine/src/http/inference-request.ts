// Reads the body of an inference request by hand: a million numbers are checked in one pass, and what is wrong is reported by its place.

import { type NumericDatatype, numericDatatypes } from '@roadworthy/contracts/engine-v2/inference'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { WantedOutput } from './inference-answer.ts'
import type { InferenceBody } from './inference-body.ts'

export const INPUT_NAME = 'features'
/** As many as a batch of `/v1` takes, ten times over. */
const MAX_ROWS = 10_000
/** 8 MB as numbers; about what a body of 16 MiB can hold. */
const MAX_VALUES = 2_000_000
const MAX_ID_CHARACTERS = 256

export type InferenceRequest = {
  readonly id: string | undefined
  /** In the order of the model's features; `NaN` is a missing value. */
  readonly rows: readonly Float64Array[]
  /** In the order they were asked for. */
  readonly wanted: readonly WantedOutput[]
}

type Shape = { readonly features: readonly string[]; readonly outputs: readonly string[] }

/** Throws `Problem('invalid_request')` with what is wrong and where. */
export function decodeInference({ json, tensors }: InferenceBody, model: Shape): InferenceRequest {
  if (!isObject(json)) throw refuse('The body must be an object with inputs.', 'inputs')
  const { id, inputs, outputs, parameters } = json
  if (id !== undefined && (typeof id !== 'string' || id.length > MAX_ID_CHARACTERS)) {
    throw refuse(`id must be a string of at most ${MAX_ID_CHARACTERS} characters.`, 'id')
  }
  if (!Array.isArray(inputs) || inputs.length !== 1 || !isObject(inputs[0])) {
    throw refuse(`inputs must be an array of one tensor, ${INPUT_NAME}.`, 'inputs')
  }
  const wanted = decodeWanted(outputs, model.outputs, isBinaryAsked(parameters, 'binary_data_output', 'parameters') ?? false)
  return { id, rows: decodeTensor(inputs[0], model.features.length, tensors), wanted }
}

function decodeTensor(input: Record<string, unknown>, featureCount: number, tensors: Buffer | undefined): Float64Array[] {
  const { name, shape, datatype, data, parameters } = input
  if (name !== INPUT_NAME) throw refuse(`inputs[0].name is ${shown(name)}; this model takes "${INPUT_NAME}".`, 'inputs[0].name')
  if (!isNumeric(datatype)) {
    throw refuse(`inputs[0].datatype is ${shown(datatype)}; it must be one of ${numericDatatypes.join(', ')}.`, 'inputs[0].datatype')
  }
  const range = ranges[datatype]
  const rowCount = decodeShape(shape, featureCount)
  const sizeBytes = isObject(parameters) ? parameters['binary_data_size'] : undefined
  if (sizeBytes !== undefined) {
    if (data !== undefined) throw refuse('inputs[0] has data and binary_data_size; send one of the two.', 'inputs[0].data')
    const read = readBinary(datatype, { tensors, sizeBytes, valueCount: rowCount * featureCount })
    return toRows(rowCount, featureCount, (row, column) => decodeValue(read(row * featureCount + column), range, row, column))
  }
  if (tensors !== undefined && tensors.length > 0) {
    throw refuse(`${tensors.length} bytes follow the JSON, but inputs[0] has no binary_data_size.`, 'inputs[0].parameters')
  }
  if (!Array.isArray(data)) throw refuse('inputs[0].data must be an array.', 'inputs[0].data')
  const isNested = data.length > 0 && data.every(Array.isArray)
  if (isNested && data.length !== rowCount) throw wrongCount(data.length, 'rows', rowCount)
  if (!isNested && data.length !== rowCount * featureCount) throw wrongCount(data.length, 'values', rowCount * featureCount)
  const rows = isNested ? (data as unknown[][]) : []
  for (const [row, values] of rows.entries()) {
    if (values.length !== featureCount) throw wrongCount(values.length, `values in row ${row}`, featureCount)
  }
  const valueAt = (row: number, column: number): unknown => (isNested ? rows[row]?.[column] : data[row * featureCount + column])
  return toRows(rowCount, featureCount, (row, column) => decodeValue(valueAt(row, column), range, row, column))
}

function toRows(rowCount: number, featureCount: number, valueAt: (row: number, column: number) => number): Float64Array[] {
  return Array.from({ length: rowCount }, (_, row) => Float64Array.from({ length: featureCount }, (_none, column) => valueAt(row, column)))
}

/** How a value is read from bytes, which are little-endian. */
const readers: Readonly<Record<NumericDatatype, { readonly bytes: number; readonly read: (from: Buffer, at: number) => number }>> = {
  FP32: { bytes: 4, read: (from, at) => from.readFloatLE(at) },
  FP64: { bytes: 8, read: (from, at) => from.readDoubleLE(at) },
  INT8: { bytes: 1, read: (from, at) => from.readInt8(at) },
  INT16: { bytes: 2, read: (from, at) => from.readInt16LE(at) },
  INT32: { bytes: 4, read: (from, at) => from.readInt32LE(at) },
  INT64: { bytes: 8, read: (from, at) => Number(from.readBigInt64LE(at)) },
  UINT8: { bytes: 1, read: (from, at) => from.readUInt8(at) },
  UINT16: { bytes: 2, read: (from, at) => from.readUInt16LE(at) },
  UINT32: { bytes: 4, read: (from, at) => from.readUInt32LE(at) },
  UINT64: { bytes: 8, read: (from, at) => Number(from.readBigUInt64LE(at)) },
}

type BinaryTensor = { readonly tensors: Buffer | undefined; readonly sizeBytes: unknown; readonly valueCount: number }

/** Not a number stands for a missing value, which is `null` here as in JSON. */
function readBinary(datatype: NumericDatatype, { tensors, sizeBytes, valueCount }: BinaryTensor): (nth: number) => number | null {
  const { bytes, read } = readers[datatype]
  const field = 'inputs[0].parameters.binary_data_size'
  if (sizeBytes !== valueCount * bytes) {
    throw refuse(`${field} is ${shown(sizeBytes)}; by shape and datatype it is ${valueCount * bytes}.`, field)
  }
  if (tensors === undefined) {
    throw refuse(`${field} is set; then the header Inference-Header-Content-Length must be the number of bytes that are JSON.`, field)
  }
  if (tensors.length !== sizeBytes) throw refuse(`${tensors.length} bytes follow the JSON where ${field} is ${sizeBytes}.`, field)
  return (nth) => {
    const value = read(tensors, nth * bytes)
    return Number.isNaN(value) ? null : value
  }
}

function decodeShape(shape: unknown, featureCount: number): number {
  if (!Array.isArray(shape) || !shape.every((size) => Number.isSafeInteger(size) && size >= 0)) {
    throw refuse('inputs[0].shape must be an array of whole numbers.', 'inputs[0].shape')
  }
  const [rowCount = 0, columnCount] = shape as number[]
  if (shape.length !== 2 || columnCount !== featureCount) {
    throw refuse(`inputs[0].shape is [${shape.slice(0, 8).join(', ')}]; this model takes [rows, ${featureCount}].`, 'inputs[0].shape')
  }
  if (rowCount === 0 || rowCount > MAX_ROWS || rowCount * featureCount > MAX_VALUES) {
    const limit = Math.min(MAX_ROWS, Math.floor(MAX_VALUES / featureCount))
    throw refuse(`inputs[0].shape asks for ${rowCount} rows; from 1 to ${limit} are taken.`, 'inputs[0].shape')
  }
  return rowCount
}

type Range = { readonly min: number; readonly max: number; readonly isWhole: boolean }

const whole = (min: number, max: number): Range => ({ min, max, isWhole: true })
const real = (max: number): Range => ({ min: -max, max, isWhole: false })
const isNumeric = (datatype: unknown): datatype is NumericDatatype => numericDatatypes.some((numeric) => numeric === datatype)
const ranges: Readonly<Record<NumericDatatype, Range>> = {
  FP32: real(3.4028234663852886e38),
  FP64: real(Number.MAX_VALUE),
  INT8: whole(-128, 127),
  INT16: whole(-32_768, 32_767),
  INT32: whole(-2_147_483_648, 2_147_483_647),
  // Numbers are exact to here and no further.
  INT64: whole(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  UINT8: whole(0, 255),
  UINT16: whole(0, 65_535),
  UINT32: whole(0, 4_294_967_295),
  UINT64: whole(0, Number.MAX_SAFE_INTEGER),
}

function decodeValue(value: unknown, { min, max, isWhole }: Range, row: number, column: number): number {
  if (value === null) return Number.NaN
  if (typeof value === 'number' && value >= min && value <= max && (!isWhole || Number.isInteger(value))) return value
  throw refuse(`inputs[0].data has ${shown(value)} in row ${row}, column ${column}; that is no value of its datatype.`, 'inputs[0].data')
}

function decodeWanted(outputs: unknown, names: readonly string[], isBinary: boolean): WantedOutput[] {
  if (outputs === undefined) return names.map((_, index) => ({ index, isBinary }))
  if (!Array.isArray(outputs) || outputs.length === 0 || outputs.length > names.length) {
    throw refuse(`outputs must be an array of 1 to ${names.length} outputs.`, 'outputs')
  }
  return outputs.map((output: unknown, at) => {
    const { name, parameters } = isObject(output) ? output : {}
    const index = typeof name === 'string' ? names.indexOf(name) : -1
    if (index === -1) throw refuse(`outputs[${at}].name is ${shown(name)}; there are ${names.join(', ')}.`, `outputs[${at}].name`)
    return { index, isBinary: isBinaryAsked(parameters, 'binary_data', `outputs[${at}].parameters`) ?? isBinary }
  })
}

function isBinaryAsked(parameters: unknown, key: string, field: string): boolean | undefined {
  const asked = isObject(parameters) ? parameters[key] : undefined
  if (asked === undefined || typeof asked === 'boolean') return asked
  throw refuse(`${field}.${key} is ${shown(asked)}; it must be true or false.`, `${field}.${key}`)
}

function wrongCount(found: number, what: string, expected: number): Problem {
  return refuse(`inputs[0].data has ${found} ${what} where its shape needs ${expected}.`, 'inputs[0].data')
}

function refuse(message: string, field: string): Problem {
  return new Problem('invalid_request', message, { details: { field } })
}

function shown(value: unknown): string {
  // `1e999` is read as Infinity, of which JSON would make null.
  if (typeof value === 'number') return String(value)
  const text = JSON.stringify(value) ?? 'missing'
  return text.length > 60 ? `${text.slice(0, 60).toWellFormed()}…` : text
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
