-- Releases a workspace that was held because too much of its mail came back, with its owner's other workspaces; what came back until now counts no
-- more. What waited goes out. The name must be given as well, so that a wrong id does nothing. Which are held: select * from public.mail_settings where held_at is not null
--   psql "$SUPABASE_DB_URL" -v workspace=<id> -v name='<its name>' -f supabase/sql/release-mails.sql
update public.mail_settings m set held_at = null, held_reason = null, released_at = clock_timestamp()
from public.workspaces w join public.members here on here.workspace_id = w.id and here.role = 'owner'
join public.members theirs on theirs.user_id = here.user_id and theirs.role = 'owner'
where w.id = :'workspace' and w.name = :'name' and m.workspace_id = theirs.workspace_id and m.held_at is not null
returning m.workspace_id;
