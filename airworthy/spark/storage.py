"""A folder of small files wherever Spark can write: on this machine, in HDFS, in an object store."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class StoredFolder:
    """A folder, by its URI. Every method raises an error of Spark if it cannot be read or written."""

    def __init__(self, session: "SparkSession", uri: str) -> None:
        hadoop: Any = session.sparkContext._jvm.org.apache.hadoop.fs  # noqa: SLF001 - PySpark has no public name for it
        self._path = hadoop.Path
        self._folder = hadoop.Path(uri)
        configuration: Any = session.sparkContext._jsc.hadoopConfiguration()  # noqa: SLF001 - likewise
        self._files: Any = self._folder.getFileSystem(configuration)
        self._files.mkdirs(self._folder)

    def write(self, name: str, content: bytes) -> None:
        """Write a file, which nobody sees before it is complete."""
        hidden, path = self._path(self._folder, f".{name}"), self._path(self._folder, name)
        stream = self._files.create(hidden, True)
        stream.write(bytearray(content))
        stream.close()
        self._files.delete(path, False)
        self._files.rename(hidden, path)

    def read(self, name: str) -> bytes:
        """Return the content of a file."""
        stream = self._files.open(self._path(self._folder, name))
        try:
            return bytes(stream.readAllBytes())
        finally:
            stream.close()

    def delete(self, name: str) -> None:
        """Delete a file, if it exists."""
        self._files.delete(self._path(self._folder, name), False)

    def names(self) -> Iterator[str]:
        """Yield the names of the files, sorted."""
        found = (status.getPath().getName() for status in self._files.listStatus(self._folder))
        return iter(sorted(name for name in found if not name.startswith(".")))
