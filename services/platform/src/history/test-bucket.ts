// For tests only: a bucket of a real S3-compatible server (s3rver), over HTTP.

import type { CleanUp } from '@roadworthy/service-kit/postgres/test-database'
import S3rver from 's3rver'
import type { Bucket } from './bucket-store.ts'

/** What is put into it is in `directory`, in a folder of the bucket's name. */
export async function startTestBucket(t: CleanUp, directory: string): Promise<Bucket> {
  const name = 'history'
  const server = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory, configureBuckets: [{ name, configs: [] }] })
  const { port } = await server.run()
  t.after(async () => server.close())
  const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }
  return { name, url: `http://127.0.0.1:${port}`, region: 'us-east-1', credentials }
}
