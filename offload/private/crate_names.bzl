"""Crates whose kernels would be taken for each other's."""

def check_crate_names(crates):
    """Checks that no two crates of the device side have one name.

    A kernel's symbol has the name of its crate, but not what else rustc tells crates apart by.

    Args:
        crates: (list[(str, Label)]) the name and the owner of each.

    Returns:
        None, or an error.
    """
    owners = {}
    for name, owner in crates:
        if owners.get(name, owner) != owner:
            return "two crates of the device side have one name, and their kernels could not be told apart. Found \"{}\" as {} and as {}. Write another crate_name in one of them.".format(
                name,
                owners[name],
                owner,
            )
        owners[name] = owner
    return None
