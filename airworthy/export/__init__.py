"""The CSV content export: files that the operator drops on a client's FTP folder, held against the documents.

`check_file` reads one stream, `check_folder` all of a location (`open_location`), both in memory that does not grow
with the files. What they find are values, `FileReport` and `ExportReport`: findings, observations, rules examined.
"""

from airworthy.export.check import Expected, Location, check_file, check_folder
from airworthy.export.ftp import Access
from airworthy.export.location import open_location
from airworthy.export.report import Example, ExportReport, FileReport, Finding, Observation

__all__ = [
    "Access",
    "Example",
    "Expected",
    "ExportReport",
    "FileReport",
    "Finding",
    "Location",
    "Observation",
    "check_file",
    "check_folder",
    "open_location",
]
