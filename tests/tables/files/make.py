"""Writes the tables of this folder with pandas, polars, pyarrow and NumPy: python3 make.py

The values are in `tests/tables/written.rs` once more.
"""

from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

HERE = Path(__file__).parent

# A frame in another order than that of its rows: the index becomes a column, the last.
frame = pd.DataFrame({"size": [3.0, 1.0, 2.0], "price": [30.0, 10.0, 20.0]})
frame.sort_values("size").to_parquet(HERE / "sorted.parquet")
frame.assign(id=[9, 7, 8]).set_index("id").to_parquet(HERE / "named_index.parquet")
frame.to_parquet(HERE / "range_index.parquet")
frame.to_csv(HERE / "row_numbers.csv")

# Whole numbers that f64 does not hold: the first and third are not even their own neighbours.
LARGE = [1582218195625938945, 1582218195625938944, 9007199254740993, 9007199254740992]
for kind in ["int64", "uint64"]:
    whole = np.array(LARGE, dtype=kind)
    np.save(HERE / f"large_{kind}.npy", whole)
    pq.write_table(
        pa.table({"x": [1.0, 2.0, 3.0, 4.0], "id": whole}), HERE / f"large_{kind}.parquet"
    )
np.save(HERE / "four.npy", np.array([1.0, 2.0, 3.0, 4.0]))

# What `to_numpy` of a frame gives: column by column.
mixed = np.asfortranarray(np.arange(15.0).reshape(5, 3) / 4)
np.save(HERE / "fortran.npy", mixed)
np.save(HERE / "fortran_int16.npy", np.asfortranarray(np.arange(6, dtype=">i2").reshape(2, 3)))
halves = np.array([[0.1, -2.0], [65504.0, 6e-8], [-0.0, 1.5]], dtype=np.float16)
np.save(HERE / "half.npy", halves)
np.save(HERE / "half_big_endian.npy", halves.astype(">f2"))

# Each compression, of 1200 rows in several pages, with and without a dictionary, texts and what is missing among them.
i = np.arange(1200)
table = pa.table(
    {
        "x": np.round(np.sin(i), 2),
        "k": (i * 7919) % 1009,
        "text": pa.array([f"text {j % 13}" for j in i]),
        "gap": pa.array([None if j % 5 == 0 else float(j) for j in i]),
    }
)
for codec in ["zstd", "lz4", "brotli", "gzip", "snappy"]:
    for version in ["1.0", "2.0"]:
        name = HERE / f"{codec}_{version[0]}.parquet"
        pq.write_table(table, name, compression=codec, data_page_version=version,
                       data_page_size=1024, write_batch_size=128, use_dictionary=["text"])
pl.from_arrow(table).write_parquet(HERE / "polars.parquet")

# Decimal numbers in each way in which they are stored, and numbers of half precision.
small = [Decimal("1.25"), Decimal("-0.10"), None]
large = [Decimal("12345678901234567890.123"), Decimal("-0.001"), Decimal("7")]
decimals = pa.table(
    {
        "in_32": pa.array(small, pa.decimal128(9, 2)),
        "in_64": pa.array(small, pa.decimal128(18, 2)),
        "in_bytes": pa.array(large, pa.decimal128(38, 3)),
        "half": pa.array(np.array([0.1, -2.0, 65504.0], dtype=np.float16)),
        "y": [1.0, 2.0, 3.0],
    }
)
pq.write_table(decimals, HERE / "decimals.parquet", store_decimal_as_integer=True)
