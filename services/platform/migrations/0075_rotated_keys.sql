-- Owner: keys. A rotation ends a key early. Who rotates it once more, because the new secret was lost, gets a key for as long as it was granted, and not for
-- what is left of the overlap. `granted_until` is its expiry of before; null beside a `rotated_at`: it had none.

alter table api_keys add column rotated_at timestamptz(3), add column granted_until timestamptz(3);
