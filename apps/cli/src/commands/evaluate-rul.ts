import { evaluateRul } from '@roadworthy/prognostics/learning/rul/evaluate-rul'
import { type RulModel, rulModelFromFiles, scoreRulRow } from '@roadworthy/prognostics/learning/rul/rul-model'
import type { Command } from 'commander'
import { type Context, examples, handle, RequiredOption, type Surroundings } from '../command.ts'
import { blamingFile, choiceOption, describeMetrics, flagged, loadModel } from '../learned-model.ts'
import { openRuns, type RunColumns, type RunFormat, readRuns, readTruth, runFormats } from '../runs-table.ts'

type EvaluateRulOptions = { model: string; data: string; truth: string; format: RunFormat }

export function addEvaluateRul(evaluate: Command, surroundings: Surroundings): void {
  evaluate
    .command('rul')
    .description('measure a model of remaining life on runs that were cut off, columns called as in its training data')
    .addOption(new RequiredOption('--model <dir>', 'folder of the model'))
    .addOption(new RequiredOption('--data <file>', 'the runs, a row per reading, plain or gzip'))
    .addOption(new RequiredOption('--truth <file>', 'CSV with unit and rul, or a number per line in the order of the units'))
    .addOption(choiceOption('--format <format>', 'csv with a header, or the headerless text of C-MAPSS', runFormats).default('csv'))
    .addHelpText(
      'after',
      examples(
        'npx roadworthy evaluate rul --model models/remaining-life/1.0.0 --data test.csv --truth truth.csv',
        'npx roadworthy evaluate rul --model models/turbofan/1.0.0 --data test_FD001.txt --truth RUL_FD001.txt --format cmapss --json',
      ),
    )
    .action(handle<EvaluateRulOptions>(surroundings, evaluateOnRuns))
}

async function evaluateOnRuns({ out }: Context, { model: dir, data, truth, format }: EvaluateRulOptions): Promise<void> {
  const { model } = await loadModel(dir, 'rul', rulModelFromFiles, scoreRulRow)
  const { runs } = await blamingFile(data, async () => readRuns(await openRuns(data, format), columnsOf(model)))
  const lives = await readTruth(truth, model.unitName, runs.units)
  const evaluation = await blamingFile(truth, () => evaluateRul(model, runs, lives))
  out.answer(evaluation, () => describeMetrics(evaluation))
}

function columnsOf({ unitName, timeName, pipeline }: RulModel): RunColumns {
  const named = flagged('of the model')
  return {
    unit: named(unitName),
    time: named(timeName),
    settings: pipeline.settingNames.map(named),
    sensors: pipeline.scales.map(({ sensor }) => named(sensor)),
  }
}
