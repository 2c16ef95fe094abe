/** What a machine calls it, letter by letter. */
export function Verbatim({ text }: { text: string }) {
  return <code className="breaking">{text}</code>
}
