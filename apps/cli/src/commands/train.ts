import type { Command } from 'commander'
import type { Surroundings } from '../command.ts'
import { addTrainClassifier } from './train-classifier.ts'
import { addTrainNormal } from './train-normal.ts'
import { addTrainRul } from './train-rul.ts'

export function addTrain(program: Command, surroundings: Surroundings): void {
  const train = program.command('train').description('train models on your own fleet')
  addTrainRul(train, surroundings)
  addTrainClassifier(train, surroundings)
  addTrainNormal(train, surroundings)
}
