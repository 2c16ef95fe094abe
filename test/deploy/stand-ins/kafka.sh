#!/usr/bin/env bash
# Starts a Kafka as the image `apache/kafka` does: a variable KAFKA_A_B is its property a.b, and an empty volume is formatted first.
set -euo pipefail
properties=/tmp/server.properties
env | grep '^KAFKA_' | while IFS='=' read -r name value; do
  name=${name#KAFKA_}
  name=${name,,}
  echo "${name//_/.}=$value"
done >"$properties"
run() { java -Xmx384m -cp "$STAND_IN_CLASS_PATH" "$@"; }
run kafka.tools.StorageTool format --ignore-formatted --cluster-id 5L6g3nShT-eMCtK--X86sw --config "$properties"
exec java -Xmx384m -cp "$STAND_IN_CLASS_PATH" kafka.Kafka "$properties"
