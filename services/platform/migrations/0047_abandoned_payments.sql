-- Owner: payments. A payment whose gateway gives no answer keeps its invoice from being paid in another way, until its issuer abandons it.

-- since when no look at the gateway brought an answer; null: the last one did, or there was none
alter table payment_attempts add column unanswered_since timestamptz(3);
-- when its issuer gave it up without the gateway's word; the gateway is asked for longer what came of it
alter table payment_attempts add column abandoned_at timestamptz(3);
