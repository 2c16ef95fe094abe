/**
 * A subquery of the quarter-hours from `from` until `until` in which folded entries of a reseller lie, as `bucket`. It goes from one to the next
 * by the index: there are few of them, and many entries in each. What is given stands in the statement as it is.
 */
export function foldedBuckets(given: { readonly resellerId: string; readonly from: string; readonly until: string }): string {
  const { resellerId, from, until } = given
  return `(
    with recursive there as (
      (select e.bucket from usage_entries e
        where e.reseller_id = ${resellerId} and e.folded and e.bucket >= ${from} and e.bucket < ${until} order by e.bucket limit 1)
      union all
      select (select e.bucket from usage_entries e
               where e.reseller_id = ${resellerId} and e.folded and e.bucket > t.bucket and e.bucket < ${until} order by e.bucket limit 1)
        from there t
       where t.bucket is not null
    )
    select bucket from there where bucket is not null
  )`
}
