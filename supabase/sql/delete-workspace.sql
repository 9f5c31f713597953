-- Deletes one workspace and everything of it; its files are queued for removal through Storage, its subdomain stays
-- blocked for 30 days. The name must be given as well, so that a wrong id does nothing.
--   psql "$SUPABASE_DB_URL" -v workspace=<id> -v name='<its name>' -f supabase/sql/delete-workspace.sql
delete from public.workspaces where id = :'workspace' and name = :'name' returning id, name, subdomain;
