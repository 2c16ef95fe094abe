import ownLogoUrl from '../favicon.svg'
import { useBrand } from './use-brand.ts'

/** Beside the name, so that it has no text of its own. A logo may be as wide as four times its height. */
export function BrandLogo({ height }: { height: number }) {
  const { logoUrl } = useBrand()
  return <img src={logoUrl ?? ownLogoUrl} alt="" height={height} style={{ maxWidth: height * 4, objectFit: 'contain' }} />
}
