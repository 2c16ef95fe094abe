type SourceProps = { text: string; label: string }

/** Lines of a program or a message as they are. It scrolls by itself where they are long, so it can be reached by the keyboard. */
export function Source({ text, label }: SourceProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard (WCAG 2.1.1)
    <section className="source" aria-label={label} tabIndex={0}>
      <pre>{text}</pre>
    </section>
  )
}
