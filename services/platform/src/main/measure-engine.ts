import type { EngineAnswer } from '../predictions/engine/engine-answer.ts'
import type { EngineClient } from '../predictions/engine/engine-client.ts'
import type { Metrics } from './http/metrics.ts'

/** The same client; how long the engine took to answer is counted, and which model judged each vehicle. What fails is counted as no prediction. */
export function measureEngine(engine: EngineClient, { countPredictions }: Pick<Metrics, 'countPredictions'>): EngineClient {
  const count = (answers: readonly EngineAnswer[], startedMs: number) =>
    countPredictions(answers.map(modelOf), (performance.now() - startedMs) / 1000)
  return {
    ...engine,
    predict: async (input, signal) => {
      const startedMs = performance.now()
      const answer = await engine.predict(input, signal)
      count([answer], startedMs)
      return answer
    },
    predictBatch: async (inputs, signal) => {
      const startedMs = performance.now()
      const answers = await engine.predictBatch(inputs, signal)
      count(answers, startedMs)
      return answers
    },
  }
}

/** An engine may be older than the field. */
function modelOf(answer: EngineAnswer): string {
  return answer.kind === 'refused' ? 'refused' : (answer.prediction.modelVersion ?? 'unknown')
}
