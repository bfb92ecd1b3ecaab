"""A Site -> a repaired copy: what is safe to mend, what only on request, what to propose."""
