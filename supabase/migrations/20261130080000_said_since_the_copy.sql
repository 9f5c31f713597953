-- What subscribers have said since a copy was made counts when it comes back.
-- A copy knows nothing of what its subscribers have said or what became of their addresses since it was made: who has left, wants to be forgotten, has
-- complained or cannot be reached hears nothing because a copy came back. As far as it is known here: of a workspace that is gone only the addresses
-- that bounce are.
create function private.heed_what_was_said_since(r private.restores) returns void
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.suppressions (address, workspace_id, reason)
  select x.address, r.workspace_id, x.reason from private.suppressions x where x.workspace_id = r.source_id
  on conflict on constraint suppressions_key do nothing;
  delete from public.subscribers s using private.suppressions x
  where s.workspace_id = r.workspace_id and x.workspace_id = r.source_id and x.reason = 'erased' and x.address = private.address_hash(s.email::text);
  update public.subscribers s set status = 'suppressed'
  where s.workspace_id = r.workspace_id and s.status <> 'suppressed' and exists (
    select from private.suppressions x where x.address = private.address_hash(s.email::text)
      and (x.workspace_id is null or x.workspace_id = r.source_id and x.reason <> 'erased')
  );
  update public.subscribers s set status = n.status, left_at = n.left_at from public.subscribers n
  where s.workspace_id = r.workspace_id and s.status in ('pending', 'active', 'paused') and n.workspace_id = r.source_id
    and n.email operator (extensions.=) s.email and n.status in ('left', 'paused', 'suppressed');
end $$;

-- Everything is there. `ours`: the copy is one that this installation has made for the same owner and nobody has changed. Only then its subscribers
-- have said yes as it says; else anybody could write himself a list of people who never did.
create or replace function public.finish_restore(workspace_id uuid, ours boolean) returns void
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  r private.restores;
  title text;
begin
  update private.restores t set done_at = clock_timestamp()
  where t.workspace_id = finish_restore.workspace_id and t.done_at is null returning t.* into r;
  if r.workspace_id is null then perform private.refuse('not_found'); end if;
  -- Whoever asked may own no workspace there any more: then nobody gets anything of it.
  if not exists (select from public.members m where m.workspace_id = r.asked_in and m.user_id = r.person and m.role = 'owner') then
    perform private.refuse('forbidden');
  end if;
  perform private.begin_importing();
  if not ours then
    delete from public.subscribers s where s.workspace_id = r.workspace_id;
    delete from private.suppressions s where s.workspace_id = r.workspace_id;
  else
    perform private.heed_what_was_said_since(r);
  end if;
  delete from private.count_queue q where q.workspace_id = r.workspace_id; -- nothing of this has happened today
  insert into private.post_counts (workspace_id, span, first_day, post_id, views, widget_opens, clicks, mails_sent, mails_followed)
  select d.workspace_id, l.span, l.first_day, d.post_id,
    coalesce(sum(d.n) filter (where d.what = 'view'), 0), coalesce(sum(d.n) filter (where d.what = 'view' and d.source = 'widget'), 0),
    coalesce(sum(d.n) filter (where d.what = 'link_click'), 0), coalesce(sum(d.n) filter (where d.what = 'mail_sent'), 0),
    coalesce(sum(d.n) filter (where d.what = 'view' and d.source = 'mail'), 0)
  from public.daily_counts d, lateral (values ('day', d.day), ('month', date_trunc('month', d.day)::date)) as l (span, first_day)
  where d.workspace_id = r.workspace_id and d.post_id is not null group by 1, 2, 3, 4;
  insert into private.workspace_counts (workspace_id, day, views, readers, widget_opens, clicks, widget_shown, mails_sent, mails_followed, subscribed, "left")
  select d.workspace_id, d.day, coalesce(sum(d.n) filter (where d.what = 'view'), 0), coalesce(sum(d.n) filter (where d.what = 'reader'), 0),
    coalesce(sum(d.n) filter (where d.what = 'widget_open'), 0), coalesce(sum(d.n) filter (where d.what = 'link_click'), 0),
    coalesce(sum(d.n) filter (where d.what = 'widget_shown'), 0), coalesce(sum(d.n) filter (where d.what = 'mail_sent'), 0),
    coalesce(sum(d.n) filter (where d.what = 'view' and d.source = 'mail'), 0),
    coalesce(sum(d.n) filter (where d.what = 'subscribed'), 0), coalesce(sum(d.n) filter (where d.what = 'left'), 0)
  from public.daily_counts d
  where d.workspace_id = r.workspace_id and d.post_id is null and d.what not in ('referrer', 'search_none', 'country', 'language') group by 1, 2;
  insert into private.name_days (workspace_id, day)
  select distinct d.workspace_id, d.day from public.daily_counts d
  where d.workspace_id = r.workspace_id and d.post_id is null and d.what in ('referrer', 'search_none', 'country', 'language')
    and d.day >= (now() at time zone 'utc')::date
  on conflict on constraint name_days_pkey do nothing;
  insert into public.members (workspace_id, user_id, role) values (r.workspace_id, r.person, 'owner');
  perform private.end_importing(r.workspace_id, true);
  select w.name into title from public.workspaces w where w.id = r.workspace_id;
  perform private.audit(r.asked_in, 'backup_restored', r.workspace_id, title, jsonb_build_object('key', r.key));
end $$;
