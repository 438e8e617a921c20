"""The same as bare.py, and `import json`: the least that a server of one's own would do."""

import json
import sys

assert json
sys.stdout.write('{"jsonrpc":"2.0","id":"hello","result":{}}\n')
sys.stdout.flush()
for _ in range(3):
    sys.stdin.readline()
sys.stdout.write('{"jsonrpc":"2.0","id":"list","result":{"tools":[]}}\n')
sys.stdout.flush()
sys.stdin.read()
