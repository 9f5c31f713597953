-- Everything of one workspace as one JSON document, as of one moment: what the owner's export in the product answers.
--   psql "$SUPABASE_DB_URL" --quiet --no-align --tuples-only -v workspace=<id> -f supabase/sql/export-workspace.sql > workspace.json
-- Files are listed by bucket and path; fetch them at /storage/v1/object/public/{bucket}/{path}.
set statement_timeout = 0;
\set FETCH_COUNT 1
select private.export_document(:'workspace');
