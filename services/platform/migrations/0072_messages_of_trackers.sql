-- Owner: readings. Formats of phones and trackers among the receivers of a message.

alter table device_messages drop constraint device_messages_receiver_check;
alter table device_messages add constraint device_messages_receiver_check
  check (receiver in ('rest', 'mqtt', 'stream', 'osmand', 'traccar', 'flespi', 'torque', 'freematics'));
