import type { Brand, ShownBrand } from '@roadworthy/contracts/platform-v1/brands'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ownBrandQuery, settableOf } from '../api/brand-queries.ts'
import { NotLoaded } from '../shell/not-loaded.tsx'
import { Panel } from '../shell/panel.tsx'
import { t } from '../text/translate.ts'
import { type BrandEdits, BrandForm } from './brand-form.tsx'
import { HostsPanel } from './hosts-panel.tsx'
import { LogoPanel } from './logo-panel.tsx'
import { SignInPreview } from './sign-in-preview.tsx'

const OWN: ShownBrand = { name: 'Roadworthy', colour: null, logoUrl: null, supportEmail: null, supportUrl: null }

/** The look of a sub-client, or of the reseller. What is left empty is inherited, and shown as such. */
export function BrandEditor({ subClientId }: { subClientId: string | undefined }) {
  const asked = useQuery(ownBrandQuery(subClientId))
  const resellers = useQuery({ ...ownBrandQuery(undefined), enabled: subClientId !== undefined }).data?.brand
  const inherited = resellers === undefined ? OWN : shownOf(resellers, OWN)
  if (asked.data === undefined) return <NotLoaded asked={asked} what={t('brand')} />
  return <Loaded key={subClientId ?? ''} subClientId={subClientId} brand={asked.data.brand} inherited={inherited} />
}

type LoadedProps = { subClientId: string | undefined; brand: Brand; inherited: ShownBrand }

function Loaded({ subClientId, brand, inherited }: LoadedProps) {
  const [edits, setEdits] = useState<BrandEdits>({})
  const shown = shownOf({ ...settableOf(brand), ...edits, logoUrl: brand.logoUrl }, inherited)
  return (
    <>
      <div className="side-by-side">
        <BrandForm subClientId={subClientId} brand={brand} inherited={inherited} edits={edits} onEdit={setEdits} />
        <div className="stacked">
          <LogoPanel subClientId={subClientId} brand={brand} inherited={inherited} />
          <Panel title={t('Sign-in page')}>
            <div className="previews">
              <SignInPreview brand={shown} scheme="light" />
              <SignInPreview brand={shown} scheme="dark" />
            </div>
          </Panel>
        </div>
      </div>
      <HostsPanel subClientId={subClientId} brand={brand} />
    </>
  )
}

function shownOf(brand: Pick<Brand, 'name' | 'colour' | 'logoUrl' | 'supportEmail' | 'supportUrl'>, inherited: ShownBrand): ShownBrand {
  return {
    name: brand.name ?? inherited.name,
    colour: brand.colour ?? inherited.colour,
    logoUrl: brand.logoUrl ?? inherited.logoUrl,
    supportEmail: brand.supportEmail ?? inherited.supportEmail,
    supportUrl: brand.supportUrl ?? inherited.supportUrl,
  }
}
