from typing import NewType

Cents = NewType("Cents", int)
