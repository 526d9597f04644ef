"""`python3 -m tidewise.serve`, which `tidewise serve` runs; imported, it is the function."""

import sys

if __name__ == "__main__":
    from tidewise.serving.command import main

    sys.exit(main())
else:
    from tidewise.serving import serve

    # An import sets the package's attribute of this name, which is the function tw.serve.
    sys.modules[__name__] = serve  # type: ignore[assignment]
