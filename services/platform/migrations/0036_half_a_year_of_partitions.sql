-- Owner: access. Also of webhooks. A process of the version before makes no partitions of these two tables. Where it is left alone, as after a
-- rollback, it goes on writing for half a year. A database that nobody has used yet has no such process. In a file of its own because it
-- takes a while, and holds up nobody.
do $$
declare
  week timestamptz;
begin
  if not exists (select from resellers) then
    return;
  end if;
  select max(substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \(''([^'']+)''')::timestamptz) into strict week
    from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'audit_log'::regclass;
  for nth in 0 .. 25 loop
    perform create_partition('audit_log', week + nth * interval '168 hours', week + (nth + 1) * interval '168 hours');
    perform create_partition('webhook_attempts', week + nth * interval '168 hours', week + (nth + 1) * interval '168 hours');
  end loop;
end $$;
