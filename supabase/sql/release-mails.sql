-- Lets a workspace send again that was held because too much of its mail came back; what came back until now counts no more. What waited goes
-- out. The name must be given as well, so that a wrong id does nothing. Which are held: select * from public.mail_settings where held_at is not null
--   psql "$SUPABASE_DB_URL" -v workspace=<id> -v name='<its name>' -f supabase/sql/release-mails.sql
update public.mail_settings m set held_at = null, held_reason = null, released_at = clock_timestamp()
from public.workspaces w where w.id = m.workspace_id and w.id = :'workspace' and w.name = :'name' and m.held_at is not null
returning w.id, w.name;
