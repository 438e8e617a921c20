"""What a Python script costs that answers a fixed handshake and a fixed list, without importing anything."""

import sys

sys.stdout.write('{"jsonrpc":"2.0","id":"hello","result":{}}\n')
sys.stdout.flush()
for _ in range(3):
    sys.stdin.readline()
sys.stdout.write('{"jsonrpc":"2.0","id":"list","result":{"tools":[]}}\n')
sys.stdout.flush()
sys.stdin.read()
