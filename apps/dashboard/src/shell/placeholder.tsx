import { Skeleton } from '@mantine/core'
import { t } from '../text/translate.ts'

/** Of a line and what stands below it, in percent. Uneven, as names and sentences are. */
const ROWS = [
  { line: 34, below: 62 },
  { line: 26, below: 48 },
  { line: 40, below: 70 },
  { line: 30, below: 55 },
] as const

/** The shape of a list that is on its way. `isPage`: it is all that the page shows, so there is a heading too. It appears after a moment, for most answers are there by then. */
export function ListPlaceholder({ isPage = false }: { isPage?: boolean }) {
  return (
    <div className={isPage ? 'page placeholder' : 'placeholder'} role="status" aria-label={t('Loading')}>
      {isPage && <Skeleton height={28} width="30%" />}
      {ROWS.map(({ line, below }) => (
        <div key={line}>
          <Skeleton height={14} width={`${line}%`} mb={8} />
          <Skeleton height={10} width={`${below}%`} />
        </div>
      ))}
    </div>
  )
}

/** The shape of cards, charts or a map that are on their way. */
export function BlockPlaceholder({ height }: { height: number }) {
  return (
    <div className="placeholder" role="status" aria-label={t('Loading')}>
      <Skeleton height={height} radius="md" />
    </div>
  )
}
