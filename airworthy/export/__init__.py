"""Check the CSV content export: the files that the operator uploads to a client's FTP folder.

`check_file` checks one stream and `check_folder` every file of a location (`open_location`). Neither needs more memory
for larger files. They return a `FileReport` or an `ExportReport` with findings, observations and the examined rules.
"""

from airworthy.export.check import ExpectedFiles, ExportLocation, check_file, check_folder
from airworthy.export.location import FtpAccess, open_location
from airworthy.export.report import ExportFinding, ExportReport, FileReport

__all__ = [
    "ExpectedFiles",
    "ExportFinding",
    "ExportLocation",
    "ExportReport",
    "FileReport",
    "FtpAccess",
    "check_file",
    "check_folder",
    "open_location",
]
