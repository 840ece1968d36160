"""Tests of //toolchains/rust:date.bzl."""

load("@bazel_skylib//lib:partial.bzl", "partial")
load("@bazel_skylib//lib:unittest.bzl", "asserts", "unittest")
load("//toolchains/rust:date.bzl", "nearby_dates", "parse_date")

def _parse_impl(ctx):
    env = unittest.begin(ctx)
    asserts.equals(env, (2026, 9, 20), parse_date("2026-09-20"))
    asserts.equals(env, (2028, 2, 29), parse_date("2028-02-29"))
    for text in ["", "nightly", "2026-9-20", "2026-13-01", "2026-00-10", "2026-02-29", "2100-02-29", "20260920", "2026-09-31"]:
        asserts.equals(env, None, parse_date(text))
    return unittest.end(env)

def _nearby_impl(ctx):
    env = unittest.begin(ctx)
    asserts.equals(env, ["2026-09-19", "2026-09-21", "2026-09-18", "2026-09-22"], nearby_dates("2026-09-20", 2))
    asserts.equals(env, ["2026-12-31", "2027-01-02", "2026-12-30", "2027-01-03"], nearby_dates("2027-01-01", 2))
    asserts.equals(env, ["2028-02-28", "2028-03-01"], nearby_dates("2028-02-29", 1))
    asserts.equals(env, ["2027-02-28", "2027-03-02"], nearby_dates("2027-03-01", 1))
    return unittest.end(env)

_nearby_test = unittest.make(_nearby_impl)
_parse_test = unittest.make(_parse_impl)

def date_test_suite(name):
    """The tests of this file.

    Args:
        name: (str) the name of the suite.
    """
    unittest.suite(
        name,
        partial.make(_nearby_test, size = "small"),
        partial.make(_parse_test, size = "small"),
    )
