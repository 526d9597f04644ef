"""What can go wrong, in the two kinds that the commands of Tidewise tell apart."""


class InputError(Exception):
    """What was given is wrong: a folder, a file, an option. One line: what; why; what to do."""


class RunError(Exception):
    """The work failed though its input was right: a full disk, a program that is missing."""
