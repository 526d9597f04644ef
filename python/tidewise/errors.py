"""What can go wrong, in the two kinds that the commands of Tidewise tell apart."""


class InputError(ValueError):
    """What was given is wrong: a folder, a file, an option. One line: what; why; what to do."""


class RunError(RuntimeError):
    """The work failed though its input was right: a full disk, a program that is missing."""


class PlanWarning(UserWarning):
    """What is allowed and hardly meant, such as a vehicle too slow for its grid."""
