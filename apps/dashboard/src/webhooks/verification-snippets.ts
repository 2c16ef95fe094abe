// Receivers that verify, in three languages. The secret is read from the environment: it is not shown here.

const NODE = `import { createServer } from 'node:http'
import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(process.env.WEBHOOK_SECRET)

createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  try {
    const event = webhook.verify(Buffer.concat(chunks).toString(), request.headers)
    console.log(event.id, event.event, event.data)
    response.writeHead(204).end()
  } catch {
    response.writeHead(400).end()
  }
}).listen(8000)
`

const PYTHON = `import os
from flask import Flask, request
from standardwebhooks.webhooks import Webhook

app = Flask(__name__)
webhook = Webhook(os.environ["WEBHOOK_SECRET"])

@app.post("/roadworthy")
def roadworthy():
    try:
        event = webhook.verify(request.get_data(), dict(request.headers))
    except Exception:
        return "", 400
    print(event["id"], event["event"], event["data"])
    return "", 204
`

const BY_HAND = `signed    = webhook-id + "." + webhook-timestamp + "." + body
key       = base64_decode(secret without "whsec_")
expected  = "v1," + base64(hmac_sha256(key, signed))

Accept when webhook-timestamp is less than 5 minutes old, and one of the
signatures in webhook-signature (separated by spaces; two during a rotation)
equals expected, compared in constant time.
`

export const snippets = [
  { name: 'Node.js', code: NODE },
  { name: 'Python', code: PYTHON },
  { name: 'HMAC-SHA256', code: BY_HAND },
] as const
