#!/usr/bin/env python3
"""Executes notebooks in place and keeps their outputs, which code hosts show.

  scripts/build_docs.sh --notebooks    runs it, in an environment with the required packages
"""

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient


def execute(path):
    """Writes a notebook with its outputs, without parts that differ between runs."""
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=240, resources={"metadata": {"path": str(path.parent)}}).execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # times of day
        if cell.cell_type == "code":  # progress bars and log lines are no results
            cell.outputs = [output for output in cell.outputs if output.get("name") != "stderr"]
    notebook.metadata = {"kernelspec": notebook.metadata["kernelspec"], "language_info": {"name": "python"}}
    nbformat.write(notebook, path)


for name in sys.argv[1:]:
    execute(Path(name))
    print(name)
