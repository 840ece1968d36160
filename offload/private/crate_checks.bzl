"""What can be known of a crate before rustc is asked."""

def check_edition(edition):
    """Checks that there is such an edition. Which of them this rustc knows is asked of rustc.

    Args:
        edition: (str) what the user wrote, "" for the default.

    Returns:
        None, or an error.
    """
    if not edition or (len(edition) == 4 and edition.isdigit() and edition >= "2015" and int(edition) % 3 == 2):
        return None
    return "there is no such Rust edition. Found edition = \"{}\"; editions are 2015, 2018, 2021, 2024. Write edition = \"2024\".".format(edition)

def check_path(path):
    """Checks that rustc can be told where the manifest and the device image are.

    Args:
        path: (str) the folder of the target's outputs.

    Returns:
        None, or an error.
    """
    if "," in path:
        return "rustc's -Zoffload takes a list with commas, and cannot name files in a folder that has one. Found {}. Write another name, without a comma, for the target or its package.".format(path)
    return None
