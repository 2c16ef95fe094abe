import { Button, Code, CopyButton, Text } from '@mantine/core'
import { QRCodeSVG } from 'qrcode.react'
import type { ReactNode } from 'react'
import { t } from '../text/translate.ts'

const QR_SIZE_PX = 200

type CredentialValuesProps = { values: readonly (readonly [name: string, value: string])[]; children: ReactNode }

/** Values to copy one by one, beside all of them as a QR code. */
export function CredentialValues({ values, children }: CredentialValuesProps) {
  return (
    <div className="credentials">
      <dl className="credential-values">
        {values.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Code>{value}</Code>
              <Copy what={name} value={value} />
            </dd>
          </div>
        ))}
      </dl>
      {children}
    </div>
  )
}

export function QrCode({ value, title, caption }: { value: string; title: string; caption: string }) {
  return (
    <figure className="qr-code">
      <QRCodeSVG value={value} size={QR_SIZE_PX} marginSize={2} title={title} />
      <Text component="figcaption" size="xs" c="dimmed">
        {caption}
      </Text>
    </figure>
  )
}

export function Copy({ what, value }: { what: string; value: string }) {
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Button
          variant="default"
          size="compact-sm"
          flex="none"
          onClick={copy}
          aria-label={copied ? t('Copied: {what}', { what }) : t('Copy: {what}', { what })}
        >
          {copied ? t('Copied') : t('Copy')}
        </Button>
      )}
    </CopyButton>
  )
}
