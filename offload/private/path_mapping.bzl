"""Path mapping: outputs at paths without the configuration, so that a cache answers whatever the command line says."""

# For actions whose command line names every file as a File, so that `--experimental_output_paths=strip` can rewrite it.
SUPPORTS_PATH_MAPPING = {"supports-path-mapping": ""}
