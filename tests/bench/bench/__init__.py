"""The parts of tests/bench/run."""
