-- Deletes a workspace with its data. Files are queued for removal; the subdomain stays blocked for 30 days. The name must match, to catch wrong ids.
--   psql "$SUPABASE_DB_URL" -v workspace=<id> -v name='<its name>' -f supabase/sql/delete-workspace.sql
delete from public.workspaces where id = :'workspace' and name = :'name' returning id, name, subdomain;
