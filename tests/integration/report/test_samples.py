"""The tracked samples in ``reports/samples``: complete, small, and free of machine paths."""

import tempfile

from integration.report.samples import FOLDER, LARGEST, ROOT, SAMPLES


def test_samples_are_those_of_the_generator() -> None:
    assert sorted(path.name for path in FOLDER.iterdir()) == sorted(SAMPLES), "run `make samples`"


def test_samples_are_small_and_contain_no_machine_path() -> None:
    for name in SAMPLES:
        content = (FOLDER / name).read_bytes()
        text = content.decode(errors="replace")
        assert 0 < len(content) < LARGEST, name
        assert str(ROOT) not in text, name
        assert tempfile.gettempdir() + "/" not in text, name


def test_picture_of_the_report_is_small() -> None:
    assert (ROOT / "docs" / "pictures" / "report.png").stat().st_size < 200_000
