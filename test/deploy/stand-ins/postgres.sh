#!/usr/bin/env bash
# Starts PostgreSQL as the images `postgres` and `citusdata/citus` do: an empty volume becomes a cluster with the account and the database that POSTGRES_… name,
# by a server which answers at the socket alone and ends; then the server proper. STAND_IN_EXTENSION: which is loaded, and made in the database.
set -euo pipefail
export PGDATA=/var/lib/postgresql/18/docker PATH=/opt/postgresql/bin:$PATH LD_LIBRARY_PATH=/opt/postgresql/lib
as_postgres() { setpriv --reuid=999 --regid=999 --clear-groups "$@"; }

if [ ! -s "$PGDATA/PG_VERSION" ]; then
  install --owner=999 --mode=600 "$POSTGRES_PASSWORD_FILE" /tmp/password
  as_postgres initdb --username="$POSTGRES_USER" --pwfile=/tmp/password --auth-local=trust --auth-host=scram-sha-256 \
    --encoding=UTF8 --locale=C --data-checksums
  rm /tmp/password
  method=${POSTGRES_HOST_AUTH_METHOD:-scram-sha-256}
  as_postgres tee -a "$PGDATA/pg_hba.conf" <<<"host all all all $method" >/dev/null
  as_postgres tee -a "$PGDATA/postgresql.conf" >/dev/null <<CONF
listen_addresses = '*'
unix_socket_directories = '/run/postgresql'
shared_preload_libraries = '${STAND_IN_EXTENSION:-}'
CONF
  as_postgres pg_ctl -w -o "-c listen_addresses=''" start
  # The image waits here as well, while it runs the scripts of who uses it.
  sleep 3
  psql --host=/run/postgresql --username="$POSTGRES_USER" --dbname=postgres --command="create database \"$POSTGRES_DB\""
  [ -z "${STAND_IN_EXTENSION:-}" ] || psql --host=/run/postgresql --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" --command="create extension $STAND_IN_EXTENSION"
  as_postgres pg_ctl -w -m fast stop
fi
# Through a pipe, since it does not run as who opened standard output.
exec setpriv --reuid=999 --regid=999 --clear-groups "$@" > >(cat) 2> >(cat >&2)
