import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { modelFiguresText } from './model-figures.ts'

const ROOT = join(import.meta.dirname, '../..')
const text = modelFiguresText(readFileSync(join(ROOT, 'bench/results/quality.jsonl'), 'utf8'))
writeFileSync(join(ROOT, 'services/engine/src/models/measured-figures.ts'), text)
