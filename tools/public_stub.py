"""The public names for type checkers and editors, which cannot see names that load on first use."""

import structlearn as sl

HEAD = "# What `structlearn` offers, for type checkers and editors; `make docs` writes it.\n\n"


def public_stub() -> str:
    """The text of `stubs/__init__.pyi`, which a wheel has beside `structlearn/__init__.py`.

    It is not there in the sources: with it all modules would be one cycle to mypy.
    """
    homes = sorted(sl._HOMES.items(), key=lambda home: (home[1], home[0]))  # noqa: SLF001, the one table of them
    lines = [f"from {module} import {name} as {name}" for name, module in homes]
    names = "".join(f'    "{name}",\n' for name in sorted(sl.__all__))
    return HEAD + "\n".join([*lines, "", "__version__: str", f"__all__ = [\n{names}]", ""])
