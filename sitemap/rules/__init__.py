"""One file per rule, named for the fault; RULES lists them in ordinance order."""
