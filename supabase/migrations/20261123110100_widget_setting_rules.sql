-- The check of the widget's settings reads what each field may be from one value, which follows from contract/widget-choices.ts.

-- What each field may be, by group: one of a list, anything of a type, or a whole number between two. Made from contract/widget-choices.ts
-- ("npm run widget-rules"), and a test compares.
create function private.widget_setting_rules() returns jsonb
language sql immutable parallel safe set search_path = '' as $$
  select '{
    "appearance": {
      "theme": ["light", "dark", "system"]
    },
    "positioning": {
      "position": ["bottom-right", "bottom-left", "top-right", "top-left"]
    },
    "behaviour": {
      "autoOpenNewPosts": "boolean",
      "animation": ["fade", "slide", "none"],
      "delay": [0, 3000, 5000, 10000]
    },
    "customisation": {
      "widgetSize": ["sm", "md", "lg"],
      "cornerRadius": [0, 6, 999],
      "fontFamily": ["system", "inter", "roboto", "arial"]
    },
    "contentSettings": {
      "maxPosts": {
        "min": 1,
        "max": 20
      },
      "showImages": "boolean",
      "showPostAuthor": "boolean"
    }
  }'::jsonb
$$;
grant execute on function private.widget_setting_rules() to authenticated, service_role;

create function private.widget_setting_is_valid(rule jsonb, value jsonb) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select case jsonb_typeof(rule)
    when 'array' then exists (select from jsonb_array_elements(rule) as r (allowed) where r.allowed = value)
    when 'string' then jsonb_typeof(value) = rule #>> '{}'
    when 'object' then case when jsonb_typeof(value) = 'number' then
      value::numeric between (rule ->> 'min')::numeric and (rule ->> 'max')::numeric and value::numeric % 1 = 0 else false end
    else false
  end
$$;
grant execute on function private.widget_setting_is_valid(jsonb, jsonb) to authenticated, service_role;

-- How a workspace's widget looks and behaves: optional groups of optional fields (specification, section 3).
-- Absent means the default; unknown groups and fields are refused, so what is stored is what the product knows.
create or replace function private.widget_settings_are_valid(settings jsonb) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select jsonb_typeof(settings) = 'object'
    and not exists (
      select from jsonb_each(settings) as g (name, fields)
      where jsonb_typeof(g.fields) <> 'object' or not private.widget_setting_rules() ? g.name
    )
    and not exists (
      select from jsonb_each(settings) as g (name, fields), jsonb_each(case when jsonb_typeof(g.fields) = 'object' then g.fields else '{}' end) as f (name, value)
      where f.value <> 'null' and private.widget_setting_is_valid(private.widget_setting_rules() #> array[g.name, f.name], f.value) is not true
    )
$$;
