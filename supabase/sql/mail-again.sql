-- Unblocks an address that bounced. Complaints stay blocked.
--   psql "$SUPABASE_DB_URL" -v email=ada@example.com -f supabase/sql/mail-again.sql
delete from private.suppressions s where s.address = private.address_hash(:'email') and s.workspace_id is null and s.reason = 'bounce';
update public.subscribers s set status = (case when s.confirmed_at is null then 'pending' else 'active' end)::public.subscriber_status
where lower(s.email::text) = lower(:'email') and s.status = 'suppressed' and not exists (
  select from private.suppressions x where x.address = private.address_hash(:'email') and (x.workspace_id is null or x.workspace_id = s.workspace_id)
)
returning s.workspace_id, s.status;
