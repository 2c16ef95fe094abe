-- Owner: notifications. In which language and units messages go to a channel; a webhook of a program stays English and metric.

alter table notification_channels add column language text not null default 'en' check (language in ('en', 'de', 'es'));
alter table notification_channels add column units text not null default 'metric' check (units in ('metric', 'imperial'));
