# Sourced by the tests of this folder: runs a Bazel of its own on a copy of a workspace.
#
#   start_workspace NAME               copies tests/e2e/NAME and the module, and changes into the copy
#   expect_success ARGUMENTS...        bazel must succeed
#   expect_failure TEXT ARGUMENTS...   bazel must fail and print TEXT (lines, each of which must be found)
#   use_offload LINES...               the workspace as it was copied, with these lines about the extension in its MODULE.bazel
#   required_folder VARIABLE WHAT      prints the folder that the variable names, or ends the test
#
# shellcheck shell=bash
set -euo pipefail

bazel=${OFFLOAD_BAZEL:-$(command -v bazel || true)}
if [[ -z $bazel ]]; then
    echo "no Bazel for the inner workspace: set OFFLOAD_BAZEL, or put bazel on PATH" >&2
    exit 1
fi

# Not below the output base, where Bazel refuses to start, nor below /tmp, which sandboxes hide.
scratch=$(mktemp -d /var/tmp/offload_e2e.XXXXXX)
export HOME=$scratch/home
# The outer Bazel tells tests where to write; an inner Bazel would take it for its output root.
unset TEST_TMPDIR
workspace=$scratch/workspace
output=$scratch/output
inner() {
    "$bazel" --output_user_root="$output" "$@"
}
stop_bazel() {
    (cd "$workspace" && inner shutdown >"$scratch/shutdown.log" 2>&1) || true
}
clean_up() {
    cd /
    if [[ -d $output ]]; then
        stop_bazel
    fi
    chmod -R u+w "$scratch"
    rm -rf "$scratch"
}
trap clean_up EXIT

start_workspace() {
    mkdir -p "$scratch/module" "$HOME"
    local here=$TEST_SRCDIR/$TEST_WORKSPACE
    cp -rL "$here/tests/e2e/$1" "$workspace"
    local part
    for part in BUILD.bazel MODULE.bazel offload toolchains; do
        cp -rL "$here/$part" "$scratch/module/$part"
    done
    # Only a workspace that depends on the module may say where it is.
    override=("--override_module=rules_rust_offload=$scratch/module")
    cd "$workspace"
    cp MODULE.bazel "$scratch/MODULE.bazel"
}

use_offload() {
    {
        cat "$scratch/MODULE.bazel"
        echo 'offload = use_extension("@rules_rust_offload//offload:extensions.bzl", "offload")'
        printf '%s\n' "$@"
    } >MODULE.bazel
}

run_bazel() {
    inner "$1" "${override[@]}" --lockfile_mode=off \
        --color=no --curses=no --noshow_progress "${@:2}" >"$scratch/log" 2>&1
}

expect_success() {
    echo "bazel $*"
    if ! run_bazel "$@"; then
        cat "$scratch/log"
        echo "FAIL: bazel $* should have succeeded" >&2
        exit 1
    fi
}

expect_failure() {
    local text=$1 line
    shift
    echo "bazel $* (must fail)"
    if run_bazel "$@"; then
        cat "$scratch/log"
        echo "FAIL: bazel $* should have failed" >&2
        exit 1
    fi
    while IFS= read -r line; do
        if ! grep -qF -- "$line" "$scratch/log"; then
            cat "$scratch/log"
            echo "FAIL: bazel $* should have printed: $line" >&2
            exit 1
        fi
    done <<<"$text"
}

required_folder() {
    if [[ -z ${!1:-} ]]; then
        echo "FAIL: set $1 to the folder of $2 (bazelw does)" >&2
        exit 1
    fi
    echo "${!1}"
}
