-- A scheduled post that is archived and taken back is scheduled again, also one that was published before: it went out at once.
create or replace function public.undo_archive(post_id uuid, expected_version int) returns public.post_details
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  present public.posts;
  before public.post_revisions;
  answer public.post_details;
begin
  if private.my_role((select p.workspace_id from public.posts p where p.id = post_id)) is null then perform private.refuse('not_found'); end if; -- a stranger locks nothing
  select * into present from public.posts p where p.id = post_id for update;
  if present.id is null then perform private.refuse('not_found'); end if;
  perform private.require_role(present.workspace_id, '{owner,admin,editor}');
  if present.version <> expected_version then perform private.explain_refusal(post_id); end if;
  if present.status = 'archived' then
    if present.archived_at > now() - interval '15 minutes' then
      select * into before from public.post_revisions r where r.post_id = post_id and r.version = present.version - 1;
    end if;
    perform set_config('tidings.former_status', case
      when before.status = 'published' or before.status = 'scheduled' and before.publish_at <= present.archived_at
        and present.published_at is not null then 'published' -- it was due
      when before.status = 'scheduled' and before.publish_at > now() then 'scheduled'
      else 'draft' end, true);
    update public.posts p set status = 'draft' where p.id = post_id;
    perform set_config('tidings.former_status', '', true);
    -- One line of what happened, whatever the post is now.
    update public.activities a set kind = 'post_restored' where a.id = (
      select l.id from public.activities l where l.workspace_id = present.workspace_id and l.post_id = post_id order by l.created_at desc, l.id desc limit 1
    );
  end if;
  select d.* into answer from public.post_details d where d.id = post_id;
  return answer;
end $$;

-- What somebody else took down is not brought back by who needs approval.
create or replace function private.require_review() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is null or private.publishes_alone(new.workspace_id, auth.uid()) then return null; end if;
  if tg_op = 'INSERT' then perform private.refuse('review_required'); end if;
  if coalesce(current_setting('tidings.accepting', true), '') = new.id::text then return null; end if; -- a proposal, by who may
  if old.status = 'published' or old.status = 'scheduled' and new.status = 'published' and new.publish_at is not null then
    if private.reads_differently(old, new) or old.status = 'published' and new.published_at <> old.published_at then
      perform private.refuse('review_required');
    end if;
  elsif old.status = 'archived' and coalesce(current_setting('tidings.former_status', true), '') = 'published' and old.updated_by = auth.uid() then
    return null; -- readers saw just this a moment ago, and the same person has taken it from them (public.undo_archive)
  elsif old.status = 'scheduled' and new.status = 'scheduled' and new.publish_at = old.publish_at then
    return null;
  elsif not private.is_approved(new.id, new.publish_at) then
    perform private.refuse('review_required');
  end if;
  return null;
end $$;

-- Nothing is scheduled on an approval that goes at the same moment.
create or replace function private.void_approvals_of_member() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  voided uuid[];
  post uuid;
begin
  if not exists (select from public.workspaces w where w.id = old.workspace_id) then return null; end if; -- it is being deleted itself
  -- Posts before reviews, as a save has them; and what is just being scheduled on such an approval is waited for.
  perform from public.posts p where p.id in (
    select r.post_id from private.reviews r
    where r.workspace_id = old.workspace_id and r.decided_by = old.user_id and r.state = 'approved' and r.used_at is null
  ) order by p.id for no key update;
  with gone as (
    update private.reviews r set state = 'void'
    where r.workspace_id = old.workspace_id and r.decided_by = old.user_id and r.state = 'approved' and r.used_at is null
      and (r.asked_by_key is not null or not private.publishes_alone(r.workspace_id, r.asked_by))
    returning r.post_id
  )
  select array_agg(g.post_id) into voided from gone g;
  foreach post in array coalesce(voided, '{}') loop
    perform set_config('tidings.unapproved', post::text, true);
    update public.posts p set status = 'draft' where p.id = post and p.status = 'scheduled' and p.publish_at > clock_timestamp();
    perform set_config('tidings.unapproved', '', true);
    perform private.announce_reviews(old.workspace_id, post);
  end loop;
  return null;
end $$;

-- All that is said about a post comes in one answer: short comments are counted, too.
create or replace function private.put_comment(
  post public.posts, thread private.comment_threads, person uuid, name text, said text, mentions jsonb
) returns private.comments
language plpgsql security definer set search_path = '' as $$
declare
  made private.comments;
begin
  if 200 <= (select count(*) from private.comments c where c.thread_id = thread.id) then
    perform private.refuse('validation_failed', '{"text": "This thread has 200 comments. Please begin another one."}');
  end if;
  if 2000 <= (
    select count(*) from private.comment_threads t join private.comments c on c.thread_id = t.id where t.post_id = post.id
  ) then perform private.refuse('validation_failed', '{"text": "This post has 2,000 comments. Please delete some first."}'); end if;
  if 500000 < char_length(said) + (
    select coalesce(sum(char_length(c.text)), 0) from private.comment_threads t join private.comments c on c.thread_id = t.id where t.post_id = post.id
  ) then perform private.refuse('validation_failed', '{"text": "The comments on this post are as long as they can be. Please delete some first."}'); end if;
  insert into private.comments (workspace_id, thread_id, user_id, name, text, mentions)
  values (post.workspace_id, thread.id, person, left(name, 200), said, mentions) returning * into made;
  return made;
end $$;

-- A stranger holds up nobody.
create or replace function private.hold_post(post uuid, roles public.member_role[]) returns public.posts
language plpgsql security definer set search_path = '' as $$
declare
  held public.posts;
begin
  if private.my_role((select p.workspace_id from public.posts p where p.id = post)) is null then perform private.refuse('not_found'); end if; -- a stranger locks nothing
  perform from public.posts p join public.members m on m.workspace_id = p.workspace_id and m.user_id = auth.uid() where p.id = post for share of m;
  select * into held from public.posts p where p.id = post for no key update;
  if held.id is null then perform private.refuse('not_found'); end if;
  perform private.require_role(held.workspace_id, roles);
  return held;
end $$;
