"""Tests of the provisioning code: no network, no compiler, under a second or two."""
