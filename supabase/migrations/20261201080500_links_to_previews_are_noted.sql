-- Who opened a draft to strangers, and who closed it again, stands in the audit log.
alter table private.audit_log drop constraint audit_log_kind;
-- squawk-ignore constraint-missing-not-valid
alter table private.audit_log add constraint audit_log_kind check (kind in (
    'signed_in',
    'workspace_made', 'member_joined', 'member_left', 'member_removed', 'role_changed', 'ownership_handed_over',
    'invitation_made', 'invitation_changed', 'invitation_revoked',
    'key_made', 'key_used', 'key_rotated', 'key_revoked',
    'webhook_made', 'webhook_changed', 'webhook_on', 'webhook_off', 'webhook_secret_rotated', 'webhook_removed',
    'workspace_exported', 'subscribers_exported', 'audit_exported',
    'workspace_changed', 'changelog_opened', 'changelog_closed', 'mail_changed', 'widget_changed', 'appearance_changed',
    'report_recipient_named', 'report_recipient_removed',
    'domain_added', 'domain_removed', 'domain_live', 'domain_lost',
    'backup_changed', 'backup_removed', 'backup_restored',
    'post_published', 'post_scheduled', 'post_archived', 'post_restored', 'post_purged', 'posts_imported', 'import_undone',
    'review_rule_changed', 'review_asked', 'review_approved', 'review_refused', 'proposal_accepted', 'proposal_refused',
    'preview_link_made', 'preview_link_revoked'
  ));

-- `token_hash` is the SHA-256 of a token that the caller has made and shows once, as hex: the token itself never comes here.
create or replace function public.create_preview_link(post_id uuid, token_hash text, days int default 7, allows_comments boolean default false)
returns public.preview_link
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  post constant public.posts := private.require_preview_keeper(create_preview_link.post_id);
  wrong jsonb := '{}';
  made private.post_previews;
begin
  if post.status = 'archived' then perform private.refuse('archived_post_locked'); end if;
  if create_preview_link.days between 1 and 30 is not true then wrong := wrong || '{"days": "Please choose 1 to 30 days"}'; end if;
  if create_preview_link.token_hash !~ '^[0-9a-f]{64}$' is not false then wrong := wrong || '{"token_hash": "Please send the hash of a token"}'; end if;
  if wrong = '{}' and exists (select from private.visible_posts s where s.id = post.id) then
    wrong := '{"post": "Readers see this post already. Share its own address."}';
  end if;
  if wrong = '{}' and (select count(*) >= 20 from private.post_previews v where v.post_id = post.id and v.expires_at > now()) then
    wrong := '{"days": "This post has 20 links. Revoke one before you make another."}';
  end if;
  if wrong <> '{}' then perform private.refuse('validation_failed', wrong); end if;
  insert into private.post_previews (post_id, token_hash, allows_comments, created_by, expires_at)
  values (post.id, decode(create_preview_link.token_hash, 'hex'), coalesce(create_preview_link.allows_comments, false), private.my_id(),
    clock_timestamp() + make_interval(days => create_preview_link.days))
  returning * into made;
  perform private.audit(post.workspace_id, 'preview_link_made', post.id, post.title);
  return private.shown_preview_link(made);
end $$;

-- At once and for good, by any writer. One that is gone already is not there.
create or replace function public.revoke_preview_link(post_id uuid, link_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  post constant public.posts := private.require_preview_keeper(post_id);
begin
  delete from private.post_previews v where v.id = link_id and v.post_id = post.id and v.expires_at > now();
  if not found then perform private.refuse('not_found'); end if;
  perform private.audit(post.workspace_id, 'preview_link_revoked', post.id, post.title);
end $$;
