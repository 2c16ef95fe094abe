import type { Command } from 'commander'
import type { Surroundings } from '../command.ts'
import { addEvaluateClassifier } from './evaluate-classifier.ts'
import { addEvaluateRul } from './evaluate-rul.ts'

export function addEvaluate(program: Command, surroundings: Surroundings): void {
  const evaluate = program.command('evaluate').description('measure trained models on data they have not seen')
  addEvaluateRul(evaluate, surroundings)
  addEvaluateClassifier(evaluate, surroundings)
}
