/** A node of a cluster takes connections and answers nothing. By the class of its code (08, connection exception) it is an outage, as that of a node which refuses. */
export class NodeHangs extends Error {
  readonly code = '08006'

  constructor(address?: string) {
    super(`${address === undefined ? 'a node' : `the node ${address}`} of the cluster does not answer`)
  }
}
