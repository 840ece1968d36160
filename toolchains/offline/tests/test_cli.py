"""Modes, messages and the environment that Bazel is started with."""

import contextlib
import io
import unittest
from pathlib import Path
from unittest import mock

from provision import cli
from provision.cache import Cache, locate
from provision.report import Failure, Report, duration, size

from .support import CacheTest


class LocateTest(unittest.TestCase):
    def test_order(self):
        home = {"HOME": "/home/me"}
        self.assertEqual(locate(home).root, Path("/home/me/.cache/rules_rust_offload"))
        self.assertEqual(locate({**home, "XDG_CACHE_HOME": "/c"}).root, Path("/c/rules_rust_offload"))
        self.assertEqual(locate({**home, "XDG_CACHE_HOME": "/c", "OFFLOAD_CACHE": "/o"}).root, Path("/o"))

    def test_refuses_tmp(self):
        for path in ("/tmp", "/tmp/cache", "/var/../tmp/x"):
            with self.assertRaisesRegex(Failure, "is under /tmp, which Bazel's sandbox hides. Set OFFLOAD_CACHE"):
                locate({"OFFLOAD_CACHE": path})

    def test_needs_a_place(self):
        with self.assertRaisesRegex(Failure, "neither OFFLOAD_CACHE nor XDG_CACHE_HOME nor HOME"):
            locate({})


class MainTest(CacheTest):
    def _main(self, *arguments, **environ):
        err, out = io.StringIO(), io.StringIO()
        with contextlib.redirect_stderr(err), contextlib.redirect_stdout(out):
            status = cli.main(list(arguments), {"OFFLOAD_CACHE": "/nowhere/cache", "PATH": "", **environ})
        return status, out.getvalue(), err.getvalue()

    def test_status_of_an_empty_cache(self):
        status, out, _ = self._main("--provision-status")
        self.assertEqual(status, 0)
        self.assertIn("cache /nowhere/cache\n", out)
        self.assertRegex(out, r"(?m)^dist +missing$")

    def test_unknown_mode(self):
        status, _, err = self._main("version", OFFLOAD_PROVISION="sometimes")
        self.assertEqual(status, 1)
        self.assertIn("error: OFFLOAD_PROVISION is sometimes. It has to be never, always or auto.\n", err)
        self.assertEqual(err.count("\n"), 1)

    def test_environment(self):
        provision = cli.Provision(Cache(Path("/c")), Report(io.StringIO()))
        self.assertEqual(
            cli.bazel_environment(provision),
            {
                "CARGO_BAZEL_GENERATOR_SHA256": "",
                "CARGO_BAZEL_GENERATOR_URL": "file:///c/cargo-bazel/bin/cargo-bazel",
                "CUDA_PATH": "/c/cuda",
                "OFFLOAD_BAZEL": "/c/launcher/bin/bazel",
                "OFFLOAD_CRATES": "/c/crates",
                "OFFLOAD_LLVM": "/c/llvm",
                "OFFLOAD_OTHER_LLVM": "/c/other-llvm",
                "RUSTUP_DIST_SERVER": "file:///c/dist",
            },
        )

    def test_all_that_the_environment_names_is_provisioned(self):
        provision = cli.Provision(Cache(Path("/c")), Report(io.StringIO()))
        places = {str(thing.folder) for thing in provision.things}
        for name, value in cli.bazel_environment(provision).items():
            if name == "CARGO_BAZEL_GENERATOR_SHA256":
                continue
            path = value[len("file://") :] if value.startswith("file://") else value
            self.assertTrue(any(path == place or path.startswith(f"{place}/") for place in places), name)

    def test_compiler_is_made_last(self):
        provision = cli.Provision(Cache(Path("/c")), Report(io.StringIO()))
        names = [thing.name for thing in provision.things]
        self.assertEqual(names[-3:], ["llvm", "other-llvm", "dist"])


class UsualBazelTest(CacheTest):
    def setUp(self):
        super().setUp()
        self.provision = cli.Provision(self.cache, self.report)
        self.program = self.root / "path/bazel"
        self.program.parent.mkdir()
        self.program.write_text("#!/bin/sh\n")
        self.program.chmod(0o755)
        self.environ = {"PATH": str(self.program.parent)}

    def _usual(self, answers):
        with mock.patch.object(cli, "_answers", side_effect=answers) as probe:
            return cli.usual_bazel(self.provision, self.environ), probe.call_count

    def test_used_where_both_hosts_answer_and_asked_once(self):
        self.assertEqual(self._usual([True, True]), (str(self.program), 2))
        self.assertEqual(self._usual([]), (str(self.program), 0))

    def test_not_used_where_one_does_not_answer(self):
        self.assertEqual(self._usual([True, False]), (None, 2))

    def test_not_probed_without_bazel_or_when_provisioned(self):
        self.environ["PATH"] = str(self.root)
        self.assertEqual(self._usual([]), (None, 0))
        self.environ["PATH"] = str(self.program.parent)
        self.provision.bazel.folder.mkdir(parents=True)
        (self.provision.bazel.folder / "stamp.json").write_text("{}")
        self.assertEqual(self._usual([]), (None, 0))


class ReportTest(unittest.TestCase):
    def test_words(self):
        self.assertEqual([duration(42), duration(370)], ["42s", "6m10s"])
        self.assertEqual([size(1), size(34e6), size(1.2e9)], ["1 MB", "34 MB", "1.2 GB"])

    def test_a_log_gets_progress_every_15_seconds(self):
        now = [0.0]
        stream = io.StringIO()
        report = Report(stream, clock=lambda: now[0])
        for now[0] in range(0, 40, 5):
            report.progress(f"rustc: {now[0]}/245 crates")
        self.assertEqual(
            stream.getvalue(),
            "[offline     0s] rustc: 0/245 crates\n[offline    15s] rustc: 15/245 crates\n[offline    30s] rustc: 30/245 crates\n",
        )
