// Settings of a first start that begins from a backup.

import { Type } from 'typebox'

/** Part of the platform's settings. */
export const restoreSettings = {
  restoreFrom: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'Folder of a backup that a first start restores before anything else. Ignored, with a line in the log, where there is an instance already.',
      defaultText: 'none; a first start makes a new instance',
      example: '/srv/backups/20260101T030000Z',
    }),
  ),
  restorePassphrase: Type.Optional(
    Type.String({
      minLength: 1,
      secret: true,
      description: 'The passphrase that this backup was made with.',
      defaultText: 'none; SECRET_KEY is then needed',
      example: '(the passphrase)',
    }),
  ),
}
