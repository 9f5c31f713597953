-- Generated from contract/widget-choices.ts by `npm run db:baseline`.
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
      "newFor": [0, 7, 14, 30, 90],
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
