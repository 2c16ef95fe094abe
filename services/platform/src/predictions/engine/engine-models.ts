// What the platform relies on in what the engine reports of its models. Anything else is a figure of the model or not looked at.

import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { EngineFault } from './engine-answer.ts'

const Described = Type.Object({
  name: Type.String(),
  type: Type.String(),
  version: Type.String(),
  status: Type.String(),
  description: Type.String(),
  source: Type.String(),
  reason: Type.Optional(Type.String()),
  numbers_by_origin: Type.Optional(Type.Record(Type.String(), Type.Integer({ minimum: 0 }))),
  /** Of the rules, and of what was learned. */
  measured_at: Type.Optional(Type.String()),
  created_at: Type.Optional(Type.String()),
})
const check = Compile(Type.Object({ models: Type.Array(Described), problem: Type.Optional(Type.String()) }))

export type EngineModel = Static<typeof Described> & Readonly<Record<string, unknown>>
export type EngineModels = { readonly models: readonly EngineModel[]; readonly problem: string | undefined }

export function toEngineModels(value: unknown): EngineModels {
  if (!check.Check(value)) {
    const [first] = check.Errors(value)
    throw new EngineFault(`the engine's description of its models cannot be used: ${first?.instancePath ?? ''} ${first?.message ?? ''}`)
  }
  return { models: value.models as EngineModel[], problem: value.problem }
}
