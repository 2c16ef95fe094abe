// Imported before anything else by each process of `npm test -- --delayed`.

import { delaySockets } from './delay-sockets.js'

delaySockets()
