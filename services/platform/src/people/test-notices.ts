// For tests only.

import { NO_MAIL_SERVER, type Notices } from './post.ts'

export const withoutMailServer: Notices = { isMailing: false, notify: async () => ({ outcome: 'not_now', reason: NO_MAIL_SERVER }) }
