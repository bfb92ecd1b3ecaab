"""What a reviewer needs after a check: compare two submissions, write the letter, verify."""
