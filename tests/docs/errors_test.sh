#!/bin/bash
exec python3 -B "$@"
