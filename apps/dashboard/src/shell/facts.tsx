import type { ReactNode } from 'react'

export type Fact = readonly [name: string, value: ReactNode]

/** Names and values below each other; what has no value is left out. */
export function Facts({ facts, className = '' }: { facts: readonly Fact[]; className?: string }) {
  return (
    <dl className={`facts ${className}`}>
      {facts.map(([name, value]) =>
        value === undefined ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="numbers">{value}</dd>
          </div>
        ),
      )}
    </dl>
  )
}
