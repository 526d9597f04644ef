"""Entry point of `python3 -m tidewise.serve`, which `tidewise serve` runs.

Importing this module yields the function tidewise.serve.
"""

import sys

if __name__ == "__main__":
    from tidewise.serving.command import main

    sys.exit(main())
else:
    from tidewise.serving import serve

    # An import of a submodule sets the package's attribute of the same name. This line makes that
    # the function, too; otherwise the module would replace the function tidewise.serve.
    sys.modules[__name__] = serve  # type: ignore[assignment]
