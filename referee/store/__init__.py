"""Which matches were played, and what was said to every row of their records?

All matches are in one SQLite file. A row is safe on the disk when `Store.append` returns, whatever happens to the
process then. Each row carries the SHA-256 of itself and the row before, so what is damaged later can be named.
"""

from referee.store.file import default_path
from referee.store.matches import Damage, DamagedRecordError, Record, StoredMatch
from referee.store.recorder import Recorder
from referee.store.secrets import Secrets
from referee.store.store import Store

__all__ = ["Damage", "DamagedRecordError", "Record", "Recorder", "Secrets", "Store", "StoredMatch", "default_path"]
