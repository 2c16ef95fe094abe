import { t } from '../text/translate.ts'

/** As the service has it. */
export const MAX_LOGO_KIB = 256
const TYPES = ['image/png', 'image/jpeg', 'image/webp']

/** Why the service would refuse the file, before it is sent. */
export function logoProblem({ type, size }: Pick<File, 'type' | 'size'>): string | undefined {
  if (!TYPES.includes(type)) return t('This is no PNG, JPEG or WebP image. SVG is not taken: it can carry scripts.')
  if (size <= MAX_LOGO_KIB * 1024) return undefined
  return t('The image has {size} KiB; {max} are the most.', { size: Math.ceil(size / 1024), max: MAX_LOGO_KIB })
}
