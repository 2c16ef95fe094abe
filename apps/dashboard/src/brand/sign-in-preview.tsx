import type { ShownBrand } from '@roadworthy/contracts/platform-v1/brands'
import ownLogoUrl from '../favicon.svg'
import { t } from '../text/translate.ts'
import { DARK_LINK_SHADE, DARK_SHADE, LIGHT_SHADE, shadesOf } from './brand-shades.ts'
import { isColour } from './colour-words.ts'

const OWN_COLOUR = '#0b7285'

/** A picture of the sign-in page, in one scheme whatever this page is in. Nothing of it can be used. */
export function SignInPreview({ brand, scheme }: { brand: ShownBrand; scheme: 'light' | 'dark' }) {
  const { name, logoUrl, supportEmail, supportUrl } = brand
  const shades = shadesOf(brand.colour !== null && isColour(brand.colour) ? brand.colour : OWN_COLOUR)
  const isDark = scheme === 'dark'
  const support = supportUrl === null ? supportEmail : t('Visit the support page')
  const label = isDark ? t('The sign-in page in the dark scheme') : t('The sign-in page in the light scheme')
  return (
    <div role="img" aria-label={label} className={`sign-in-preview ${scheme}`}>
      <div aria-hidden="true" className="sign-in-preview-card">
        <div className="sign-in-preview-head">
          <img src={logoUrl ?? ownLogoUrl} alt="" />
          <span>{name}</span>
        </div>
        <span>{t('E-mail')}</span>
        <div className="sign-in-preview-field" />
        <span>{t('Password')}</span>
        <div className="sign-in-preview-field" />
        <div className="sign-in-preview-button" style={{ background: shades[isDark ? DARK_SHADE : LIGHT_SHADE] }}>
          {t('Sign in')}
        </div>
        <span style={{ color: shades[isDark ? DARK_LINK_SHADE : LIGHT_SHADE] }}>{t('Forgotten your password?')}</span>
        {support !== null && <span style={{ color: shades[isDark ? DARK_LINK_SHADE : LIGHT_SHADE] }}>{support}</span>}
      </div>
    </div>
  )
}
