"""``punct ugi``: the engine for match runners and boards."""

from __future__ import annotations


def ugi() -> None:
    """Speak UGI, the Universal Game Interface, on standard input and output.

    For programs that play engines against each other or against people. By hand:

    ```
    printf 'ugi\\nposition startpos moves Ed5ne\\ngo movetime 500\\n' | punct ugi
    ```

    Options are Threads, Level (1 to 8), Seed, Hash (MB) and Rules (standard or basic: what `startpos` means). `quit` or
    the end of the input ends it.
    """
    from punct.ugi.engine import main  # loads the engine, which other commands do not need

    main()
