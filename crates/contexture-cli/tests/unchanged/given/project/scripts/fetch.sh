#!/usr/bin/env bash
# Fetches readings of all stations.
set -euo pipefail

base=${TIDE_BASE:-http://127.0.0.1:8099}

fetch() {
    local station=$1
    curl --fail --silent "$base/levels/$station" >"data/$station.json"
}

main() {
    for station in "$@"; do
        fetch "$station"
    done
}

main "$@"
