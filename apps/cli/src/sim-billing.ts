// The SIM and billing API, as the command line calls it.

import type { Context } from './command.ts'
import { type HttpRequest, type JsonBody, requestOk } from './http-client.ts'
import { readDocument } from './signed-document.ts'

export async function callSimBilling({ instance }: Context, path: string, options: HttpRequest = {}): Promise<JsonBody> {
  return await requestOk(`${instance.baseUrl()}/api/sim-billing${path}`, { ...options, apiKey: instance.apiKey() })
}

/** Shows what is at the path or, given a file, puts its content there. */
export async function showOrPut(context: Context, path: string, file: string | undefined): Promise<void> {
  const put = file === undefined ? {} : { method: 'PUT' as const, body: await readDocument(file) }
  const { success: _, ...answer } = await callSimBilling(context, path, put)
  context.out.answer(answer, () => JSON.stringify(answer, null, 2))
}
