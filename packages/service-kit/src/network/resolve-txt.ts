import { askDns, isNoRecord } from './ask-dns.ts'

/** The texts of the TXT records of a name, each in one piece; none where there are none. Throws where nobody could be asked. */
export async function resolveTxt(name: string, signal: AbortSignal, servers?: readonly string[]): Promise<string[]> {
  try {
    const records = await askDns({ signal, servers }, (resolver) => resolver.resolveTxt(name))
    return records.map((chunks) => chunks.join(''))
  } catch (error) {
    if (isNoRecord(error)) return []
    throw error
  }
}
