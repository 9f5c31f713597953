-- Refusals and mails of reviews, comments and templates.

create or replace function private.refuse(code text, detail jsonb default null) returns void
language plpgsql set search_path = '' as $$
declare
  sentence constant text := case code
    when 'unauthenticated' then 'Please sign in to continue.'
    when 'forbidden' then 'Your role in this workspace does not allow this.'
    when 'scope_missing' then 'This API key is not allowed to do this.'
    when 'not_found' then 'This does not exist, or you have no access to it.'
    when 'subdomain_taken' then 'This subdomain is already taken.'
    when 'subdomain_reserved' then 'This subdomain is reserved. Please choose another one.'
    when 'domain_taken' then 'Another workspace uses this name already.'
    when 'slug_taken' then 'Another post of this workspace already has this address.'
    when 'version_conflict' then 'Post updated elsewhere'
    when 'published_post_locked' then 'Published posts cannot be scheduled or moved back to draft status'
    when 'archived_post_locked' then 'This post is archived. Restore it before you change it.'
    when 'review_required' then 'A second person approves posts here before readers see them. Ask for approval first.'
    when 'own_review' then 'Somebody else approves this: you have written it, or asked for it.'
    when 'review_over' then 'This has been decided already.'
    when 'template_name_taken' then 'Another template has this name already.'
    when 'too_many_templates' then 'A workspace can have 100 templates. Delete one first.'
    when 'already_member' then 'This person is already a member of the workspace.'
    when 'too_many_webhooks' then 'A workspace can have 100 webhooks. Delete one first.'
    when 'webhook_off' then 'This webhook is switched off. Switch it on first.'
    when 'import_over' then 'This import was taken back. Begin a new one.'
    when 'owner_required' then 'Hand ownership over to another member first.'
    when 'invalid_invitation' then 'This invitation link is invalid or has expired.'
    when 'wrong_invitation_account' then 'This invitation was sent to another email address.'
    when 'add_on_required' then 'This workspace does not have the add-on that this needs.'
    when 'validation_failed' then 'Please check the highlighted fields.'
    when 'rate_limited' then 'Too many attempts. Please wait a moment and try again.'
  end;
begin
  if sentence is null then
    raise exception 'no sentence for refusal %', code;
  end if;
  raise exception using errcode = 'P0001', message = sentence, hint = code, detail = coalesce(detail::text, '');
end $$;

alter table private.deliveries drop constraint deliveries_kind;
-- squawk-ignore constraint-missing-not-valid
alter table private.deliveries add constraint deliveries_kind check (kind in (
    'confirmation', 'reminder', 'post', 'digest', 'held', 'webhook_gone', 'webhook_failing', 'domain_live', 'domain_lost',
    'report', 'report_question', 'backup_failed', 'backup_works', 'review_asked', 'review_decided', 'mentioned'));
