#!/usr/bin/env bash
exec java -XX:TieredStopAtLevel=1 -cp "$STAND_IN_CLASS_PATH" org.apache.kafka.tools.ConsoleProducer "$@"
