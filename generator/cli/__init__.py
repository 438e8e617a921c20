"""The command line: one short file per verb."""
