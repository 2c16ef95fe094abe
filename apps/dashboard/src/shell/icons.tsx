// A handful of line icons, drawn here: a package of five thousand is more than the rest of the page.

import type { ReactNode } from 'react'

function icon(paths: ReactNode) {
  return function Icon({ size = 18 }: { size?: number }) {
    return (
      <svg
        aria-hidden="true"
        width={size}
        height={size}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth={2}
        strokeLinecap="round"
        strokeLinejoin="round"
        style={{ flex: 'none' }}
      >
        {paths}
      </svg>
    )
  }
}

export const CheckIcon = icon(
  <>
    <circle cx="12" cy="12" r="9" />
    <path d="M8 12.5l3 3 5-6" />
  </>,
)
export const WarningIcon = icon(
  <>
    <path d="M12 3.5L2.5 20.5h19z" />
    <path d="M12 10v4.5M12 17.5v.01" />
  </>,
)
export const CriticalIcon = icon(
  <>
    <path d="M8 2.5h8L21.5 8v8L16 21.5H8L2.5 16V8z" />
    <path d="M12 7.5v5.5M12 16.5v.01" />
  </>,
)
export const InfoIcon = icon(
  <>
    <circle cx="12" cy="12" r="9" />
    <path d="M12 11v5.5M12 7.5v.01" />
  </>,
)
export const UnknownIcon = icon(
  <>
    <circle cx="12" cy="12" r="9" strokeDasharray="3 3" />
    <path d="M9 12h6" />
  </>,
)
export const OfflineIcon = icon(
  <path d="M3 3l18 18M5 12.5a10 10 0 014.5-2.6M2 8.8a15 15 0 014.3-2.7M10.6 5a15 15 0 0111.4 3.8M16.5 11a10 10 0 012.5 1.5M8.5 16a5 5 0 017 0M12 20h.01" />,
)
export const ClockIcon = icon(
  <>
    <circle cx="12" cy="12" r="9" />
    <path d="M12 7v5.5l3.5 2" />
  </>,
)
export const PauseIcon = icon(
  <>
    <circle cx="12" cy="12" r="9" />
    <path d="M9.5 8.5v7M14.5 8.5v7" />
  </>,
)
export const CrossIcon = icon(
  <>
    <circle cx="12" cy="12" r="9" />
    <path d="M9 9l6 6M15 9l-6 6" />
  </>,
)
export const LockIcon = icon(
  <>
    <rect x="4.5" y="10.5" width="15" height="10" rx="2" />
    <path d="M8 10.5V7a4 4 0 018 0v3.5" />
  </>,
)
export const BellIcon = icon(<path d="M6 9a6 6 0 1112 0c0 6 2 7 2 7H4s2-1 2-7M10 20a2 2 0 004 0" />)
export const SearchIcon = icon(
  <>
    <circle cx="10.5" cy="10.5" r="6.5" />
    <path d="M15.5 15.5L21 21" />
  </>,
)
export const SunIcon = icon(
  <>
    <circle cx="12" cy="12" r="4" />
    <path d="M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6L19 19M19 5l-1.4 1.4M6.4 17.6L5 19" />
  </>,
)
export const MoonIcon = icon(<path d="M20 14.5A8.5 8.5 0 119.5 4a7 7 0 0010.5 10.5z" />)
export const BackIcon = icon(<path d="M19 12H5M11 6l-6 6 6 6" />)
export const EyeIcon = icon(
  <>
    <path d="M2 12s3.5-6.5 10-6.5S22 12 22 12s-3.5 6.5-10 6.5S2 12 2 12z" />
    <circle cx="12" cy="12" r="3" />
  </>,
)
export const PersonIcon = icon(
  <>
    <circle cx="12" cy="8" r="4.5" />
    <path d="M4 20.5a8 8 0 0116 0" />
  </>,
)
export const RepeatIcon = icon(
  <path d="M4 11V9a3.5 3.5 0 013.5-3.5H20M16.5 2L20 5.5 16.5 9M20 13v2a3.5 3.5 0 01-3.5 3.5H4M7.5 22L4 18.5 7.5 15" />,
)
