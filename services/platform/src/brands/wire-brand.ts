import type { ChangeBrandRequest, HostProof, Brand as WireBrand } from '@roadworthy/contracts/platform-v1/brands'
import type { Brand, BrandWithLogo } from './brand.ts'
import type { HostClaim } from './host-claims.sql.ts'
import { challengeName } from './prove-hosts.ts'

export function fromPlatformBrand(body: ChangeBrandRequest): Brand {
  return {
    name: body.name ?? undefined,
    colour: body.colour ?? undefined,
    supportEmail: body.supportEmail ?? undefined,
    supportUrl: body.supportUrl ?? undefined,
    hosts: body.hosts ?? [],
  }
}

export function toPlatformBrand(brand: BrandWithLogo): WireBrand {
  return {
    name: brand.name ?? null,
    colour: brand.colour ?? null,
    logoUrl: logoUrlOf(brand.logoSha256Hex),
    supportEmail: brand.supportEmail ?? null,
    supportUrl: brand.supportUrl ?? null,
    hosts: [...brand.hosts],
    hostProofs: brand.claims.map(toPlatformProof),
  }
}

function toPlatformProof({ host, token, provedAt, isConfirmedByHand, checkedAt, problem }: HostClaim): HostProof {
  return {
    host,
    status: provedAt === undefined ? 'pending' : 'proved',
    provedBy: provedAt === undefined ? null : isConfirmedByHand ? 'operator' : 'dns',
    record: { type: 'TXT', name: challengeName(host), value: token },
    provedAt: provedAt?.toISOString() ?? null,
    checkedAt: checkedAt?.toISOString() ?? null,
    problem: problem ?? null,
  }
}

export function logoUrlOf(sha256Hex: string | undefined): string | null {
  return sha256Hex === undefined ? null : `/api/v1/brand/logos/${sha256Hex}`
}
