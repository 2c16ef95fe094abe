-- Owner: people. In which language and units a person reads the dashboard and is written to.

-- null: never chosen. The dashboard follows the browser then, and mails are English and metric
alter table users add column language text check (language in ('en', 'de', 'es'));
alter table users add column units text check (units in ('metric', 'imperial'));
