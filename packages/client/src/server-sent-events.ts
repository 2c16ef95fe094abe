/** A message of a stream of server-sent events (WHATWG HTML §9.2.6). */
export type ServerSentMessage = { readonly event: string; readonly data: string; readonly id: string }

/** The messages in a text that arrives in pieces. Comments are left out; a message that was cut off is dropped, as the standard has it. */
export async function* eventMessages(pieces: AsyncIterable<string>): AsyncGenerator<ServerSentMessage, void, undefined> {
  let rest = ''
  let message = { event: 'message', data: [] as string[], id: '' }
  for await (const piece of pieces) {
    const lines = (rest + piece).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line !== '') {
        readField(line, message)
        continue
      }
      if (message.data.length > 0) yield { event: message.event, data: message.data.join('\n'), id: message.id }
      message = { event: 'message', data: [], id: message.id }
    }
  }
}

function readField(line: string, message: { event: string; data: string[]; id: string }): void {
  const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? []
  if (name === 'event') message.event = value
  else if (name === 'data') message.data.push(value)
  else if (name === 'id' && !value.includes('\0')) message.id = value
}
