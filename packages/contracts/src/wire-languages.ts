import { languages, unitSystems } from '@roadworthy/wording/languages'
import { Type } from 'typebox'

export const language = (description: string) => Type.Enum(languages, { type: 'string', description })
export const units = (description: string) =>
  Type.Enum(unitSystems, { type: 'string', description: `${description} \`imperial\`: °F, miles, mph, psi, US mpg.` })
