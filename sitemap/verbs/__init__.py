"""The verbs of the command line, by what they work on. No geo library before one is run."""
