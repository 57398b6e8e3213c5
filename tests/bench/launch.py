"""Runs one command and prints its cost as JSON; in its own process, for a child's peak memory counts its parent's."""

import json
import os
import sys
import time

start = time.perf_counter()
child = os.fork()
if child == 0:
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    os.dup2(os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), 1)
    os.execvp(sys.argv[2], sys.argv[2:])
_, status, usage = os.wait4(child, 0)
print(
    json.dumps(
        {
            "status": os.waitstatus_to_exitcode(status),
            "cpu_s": usage.ru_utime + usage.ru_stime,
            "wall_s": time.perf_counter() - start,
            "peak_mb": usage.ru_maxrss / 1024,
        }
    )
)
