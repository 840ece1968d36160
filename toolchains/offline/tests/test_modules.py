"""The registry answers every request with what Debian has, or with a stub."""

import json
import unittest
from pathlib import Path

from provision import modules

from .support import CacheTest

_SKYLIB = """\
module(
    name = "bazel_skylib",
    # Keep in sync.
    version = "1.9.1",
    compatibility_level = 1,
)

bazel_dep(name = "platforms", version = "0.0.10")
bazel_dep(name = "rules_pkg", version = "1.0.0", dev_dependency = True)
"""


class RequestsTest(unittest.TestCase):
    def test_development_dependencies_count_in_the_root_only(self):
        self.assertEqual(list(modules.requests(_SKYLIB, root=False)), [("platforms", "0.0.10")])
        self.assertEqual(list(modules.requests(_SKYLIB, root=True)), [("platforms", "0.0.10"), ("rules_pkg", "1.0.0")])

    def test_comments_and_overrides_are_no_requests(self):
        text = '# bazel_dep(name = "a", version = "1")\nbazel_dep(name = "b")\nlocal_path_override(module_name = "b", path = "..")\n'
        self.assertEqual(list(modules.requests(text, root=True)), [])

    def test_version_is_changed_in_the_module_call_only(self):
        text = modules.with_version(_SKYLIB, "1.3.0")
        self.assertIn('    version = "1.3.0",\n', text)
        self.assertIn('bazel_dep(name = "platforms", version = "0.0.10")', text)


class RegistryTest(CacheTest):
    def test_every_request_has_an_entry(self):
        found = {"bazel_skylib": modules.Found(Path("/share/skylib"), "1.9.1", _SKYLIB)}
        asked = [("bazel_skylib", "1.9.1"), ("bazel_skylib", "1.3.0"), ("apple_support", "1.13.0")]
        registry, stubs = self.root / "registry", self.root / "stubs"
        modules.write_registry(registry, stubs, Path("/cache/stubs"), found, asked)

        skylib = registry / "modules/bazel_skylib"
        self.assertEqual(json.loads((skylib / "metadata.json").read_text())["versions"], ["1.3.0", "1.9.1"])
        self.assertEqual(
            json.loads((skylib / "1.3.0/source.json").read_text()), {"type": "local_path", "path": "/share/skylib"}
        )
        self.assertIn('version = "1.3.0"', (skylib / "1.3.0/MODULE.bazel").read_text())
        stub = json.loads((registry / "modules/apple_support/1.13.0/source.json").read_text())
        self.assertEqual(stub["path"], "/cache/stubs/apple_support")
        self.assertTrue((stubs / "apple_support/constraints/BUILD.bazel").exists())

    def test_workspaces_of_tests_and_examples_are_read(self):
        for folder in (".", "tests/e2e/one", "examples/monorepo", "tests/e2e/one/bazel-one", "docs"):
            (self.root / folder).mkdir(parents=True, exist_ok=True)
            (self.root / folder / "MODULE.bazel").touch()
        found = {str(path.parent.relative_to(self.root)) for path in modules.module_files(self.root)}
        self.assertEqual(found, {".", "tests/e2e/one", "examples/monorepo"})
