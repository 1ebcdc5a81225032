"""`python -m controller` is the command `sabot`."""

import sys

try:
    from controller.cli import main

    main()
except KeyboardInterrupt:
    # Also while we are still being loaded.
    sys.exit(130)
